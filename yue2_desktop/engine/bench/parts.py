"""The measurements: decode steps, velocity evaluations, audio decoding, each ours against plain in one run."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from yue2_desktop.engine.ar import ArWeights, TokenSequence
from yue2_desktop.engine.attention_choice import processor_attention
from yue2_desktop.engine.bench.machine import (
    interleaved_seconds,
    peak_resident_bytes,
    read_bandwidth,
    resident_bytes,
    seconds,
    typical_seconds,
)
from yue2_desktop.engine.bench.plain import Cache, plain_decode, plain_evaluation, plain_step
from yue2_desktop.engine.bench.random_weights import RandomModel, random_decoder
from yue2_desktop.engine.config import RELEASED_MODEL, RELEASED_VAE
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.nar import Velocity
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.sampling.choose import SampledChoice
from yue2_desktop.engine.sampling.draw import SeededDraw
from yue2_desktop.engine.vae.decoder import load_decoder
from yue2_desktop.engine.vae.tiling import decode_tiled
from yue2_desktop.song.sampling import SEMANTIC_SAMPLING

CPU = torch.device("cpu")
_RUNNING = CancelToken()
_MIB = 1 << 20


@dataclass(frozen=True)
class Measurement:
    """One figure: seconds of ours and of the plain path, and the floor: bytes that must be read over bandwidth."""

    name: str
    dtype: str
    seconds: float
    plain_seconds: float
    floor_seconds: float
    bandwidth: float
    peak_bytes: int
    expected_bytes: int

    @property
    def speedup(self) -> float:
        """How many times faster than the plain path."""
        return self.plain_seconds / self.seconds

    @property
    def over_floor(self) -> float:
        """How many times the bandwidth floor."""
        return self.seconds / self.floor_seconds


def measure_decode(layers: int, dtype: torch.dtype, context: int, tokens: int) -> Measurement:
    """Seconds for a whole semantic token (forward, head, sampling) behind `context` tokens."""
    config = replace(RELEASED_MODEL, layers=layers)
    before = resident_bytes()
    model = RandomModel(config, dtype)
    weights = ArWeights(
        config, model.layers(), model.ones(config.hidden_size), model.head(SEMANTIC_VOCABULARY),
        model.embedded, dtype, CPU,
    )  # fmt: skip
    capacity = context + 8 * tokens + 16
    sequence = TokenSequence(weights, capacity)
    logits = sequence.extend(range(context), _RUNNING)
    draw = SeededDraw(1, config.vocab_size, CPU)
    sampling = SEMANTIC_SAMPLING
    choose = SampledChoice(SEMANTIC_VOCABULARY, config.vocab_size, sampling, 1.0, draw, CPU, keep_dtype=False)
    history: list[int] = [1] * 200

    def ours() -> None:
        nonlocal logits
        for _ in range(tokens):
            place = choose((logits,), history)
            history.append(place)
            logits = sequence.extend((SEMANTIC_VOCABULARY.id_at(place),), _RUNNING)

    seconds(ours)
    weight_bytes = sum(layer.nbytes for layer in weights.layers) + weights.head.rows.nbytes
    kv_bytes = capacity * config.layers * 2 * config.kv_width * dtype.itemsize
    peak, expected = peak_resident_bytes() - before, weight_bytes + kv_bytes
    whole_head = model.matrix(config.vocab_size, config.hidden_size)
    table = rope_table(context, 1, config.head_dim, config.rope_theta, dtype, CPU)
    kv = torch.zeros(config.heads, context, config.head_dim, dtype=dtype)

    def plain() -> None:
        cache: Cache = [(kv, kv) for _ in range(layers)]
        for _ in range(tokens):
            row = plain_step(
                model.embedded((1,)), weights.layers, cache, config, table, weights.final_norm, whole_head
            )[0].float()
            row = row.masked_fill(row < row.topk(sampling.top_k).values[-1], float("-inf"))
            torch.multinomial(row.softmax(-1), 1, generator=draw.generator)

    ours_s, plain_s = interleaved_seconds(ours, plain, 3)
    bandwidth = read_bandwidth()
    read = weight_bytes + kv_bytes * context // capacity
    return Measurement(
        "token", str(dtype), ours_s / tokens, plain_s / tokens, read / bandwidth, bandwidth, peak, expected
    )


def measure_velocity(layers: int, dtype: torch.dtype, context: int, frames: int) -> Measurement:
    """Seconds for one velocity evaluation of `frames` frames behind a cache of `context` tokens."""
    config = replace(RELEASED_MODEL, layers=layers)
    before = resident_bytes()
    model = RandomModel(config, dtype)
    stack = model.layers()
    cache = KVCache(config, context, dtype, CPU)
    cache.keys.fill_(0.1)
    cache.values.fill_(0.1)
    cache.advance(context)
    positions = rope_table(context, frames + 2, config.head_dim, config.rope_theta, dtype, CPU)
    flow = model.flow(frames + 2)
    attend = processor_attention(config, dtype).attend
    velocity = Velocity(config, flow, stack, cache, positions, frames, attend=attend)
    x = torch.zeros(frames, config.latent_dim, dtype=dtype)

    def ours() -> torch.Tensor:
        return velocity(x, 0.0, _RUNNING)

    ours()
    weight_bytes = sum(layer.nbytes for layer in stack)
    kv_bytes = cache.keys.nbytes + cache.values.nbytes
    peak, expected = peak_resident_bytes() - before, weight_bytes + kv_bytes
    expanded: Cache = [
        (k.repeat_interleave(config.group, dim=0), v.repeat_interleave(config.group, dim=0))
        for k, v in (cache.layer(index) for index in range(layers))
    ]
    rows = model.matrix(frames + 2, config.hidden_size)

    def plain() -> torch.Tensor:
        return plain_evaluation(rows, stack, expanded, config, positions)

    ours_s, plain_s = interleaved_seconds(ours, plain, 3)
    bandwidth = read_bandwidth()
    return Measurement(
        "velocity evaluation", str(dtype), ours_s, plain_s, expected / bandwidth, bandwidth, peak, expected
    )


def measure_audio(frames: int, core: int) -> Measurement:
    """Seconds for one second of audio out of the decoder, fp32, tiles of `core` frames."""
    before = resident_bytes()
    source = random_decoder(RELEASED_VAE)
    decoder = load_decoder(source, RELEASED_VAE, CPU)
    z = torch.zeros(frames, RELEASED_VAE.latent_dim)
    length = decoder.samples(frames) / RELEASED_VAE.sample_rate
    ours_s = typical_seconds(lambda: decode_tiled(decoder, z, core, 16, _RUNNING, lambda _done: None), 2)
    peak = peak_resident_bytes() - before
    plain_s = typical_seconds(lambda: plain_decode(source, RELEASED_VAE, z.T[None]), 2)
    bandwidth = read_bandwidth()
    weight_bytes = sum(source.read(name).nbytes for name in source.names())
    # What must be moved: the weights, and the in- and output of the widest stage of each block once.
    widest = (min(core, frames) + 32) * 1920 * 64 * 4
    floor = (weight_bytes + 2 * widest) / bandwidth
    return Measurement(
        "second of audio", "torch.float32", ours_s / length, plain_s / length, floor / length, bandwidth,
        peak, weight_bytes * 2 + 4 * widest,
    )  # fmt: skip
