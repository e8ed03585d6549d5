"""The plain path is the same model: it must agree with the engine, or its speed is no measure."""

from __future__ import annotations

from collections.abc import Callable

import torch

from yue2_desktop.engine.bench.parts import measure_audio, measure_decode, measure_velocity
from yue2_desktop.engine.bench.plain import Cache, plain_decode, plain_evaluation, plain_step
from yue2_desktop.engine.model.ar import forward
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.nar import Velocity, shifted_time, time_embedding
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.vae.decoder import load_decoder
from yue2_desktop.engine.weights.folders import VaeFiles
from yue2_desktop.engine.weights.layout import LM_HEAD, Branch
from yue2_desktop.engine.weights.load import WeightReader

Reader = Callable[[str], WeightReader]
CPU = torch.device("cpu")
IDS = [151_643, 17, 4242, 99, 31_000, 8]


def _cached(r: WeightReader) -> KVCache:
    config = r.config
    layers = [r.layer(Branch.AR, index) for index in range(config.layers)]
    cache = KVCache(config, len(IDS) + 1, r.dtype, CPU)
    table = rope_table(0, len(IDS), config.head_dim, config.rope_theta, r.dtype, CPU)
    forward(r.embedded(IDS), layers, cache, table, config, CancelToken())
    return cache


def _expanded(cache: KVCache, group: int) -> Cache:
    layers = range(cache.keys.shape[0])
    return [tuple(x.repeat_interleave(group, dim=0) for x in cache.layer(i)) for i in layers]  # type: ignore[misc]


def test_a_plain_step_gives_the_engines_logits(reader: Reader) -> None:
    """fp32, 1e-4 on logits of size 3: sums in another order."""
    r = reader("fp32")
    config, layers = r.config, [r.layer(Branch.AR, index) for index in range(r.config.layers)]
    cache = _cached(r)
    plain_cache = _expanded(cache, config.group)
    table = rope_table(len(IDS), 1, config.head_dim, config.rope_theta, r.dtype, CPU)
    norm, head = r.final_norm(), r.tensor(LM_HEAD)
    plain = plain_step(r.embedded([55]), layers, plain_cache, config, table, norm, head)
    ours = (
        rms_norm(forward(r.embedded([55]), layers, cache, table, config, CancelToken()), norm, config.rms_eps) @ head.T
    )
    assert float((plain - ours).abs().max()) <= 1e-4
    assert plain_cache[0][0].shape[1] == len(IDS) + 1


def test_a_plain_evaluation_gives_the_engines_velocity(reader: Reader) -> None:
    r = reader("fp32")
    config, layers = r.config, [r.layer(Branch.NAR, index) for index in range(r.config.layers)]
    cache, flow, frames = _cached(r), r.flow(9), 7
    table = rope_table(len(IDS), frames + 2, config.head_dim, config.rope_theta, r.dtype, CPU)
    x = torch.randn(frames, 64, generator=torch.Generator().manual_seed(1))
    ours = Velocity(config, flow, layers, cache, table, frames)(x, 0.5, CancelToken())
    h = flow.latent_in(torch.nn.functional.pad(x, (0, 0, 1, 1))) + flow.positions
    h = h + time_embedding(shifted_time(0.5, config.timestep_shift, r.dtype), flow, r.dtype)
    h = plain_evaluation(h, layers, _expanded(cache, config.group), config, table)
    plain = flow.latent_out(rms_norm(h, flow.final_norm, config.rms_eps))[1:-1]
    assert float((plain - ours).abs().max()) <= 1e-4


def test_plain_audio_is_the_engines(vae_files: VaeFiles) -> None:
    z = torch.randn(1, 64, 5, generator=torch.Generator().manual_seed(2))
    plain = plain_decode(vae_files.source, vae_files.config, z)
    ours = load_decoder(vae_files.source, vae_files.config, CPU)(z)
    assert float((plain - ours).abs().max()) <= 2e-4  # folded weights, as the goldens' tolerance


def test_measurements_are_made_of_positive_numbers() -> None:
    for made in (
        measure_decode(1, torch.bfloat16, 16, 1),
        measure_velocity(1, torch.bfloat16, 16, 20),
        measure_audio(2, 2),
    ):
        assert min(made.seconds, made.plain_seconds, made.floor_seconds, made.bandwidth) > 0
        assert made.speedup == made.plain_seconds / made.seconds
        assert made.over_floor == made.seconds / made.floor_seconds
