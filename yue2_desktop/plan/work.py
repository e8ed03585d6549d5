"""How much work a stage is: bytes read, products, copies and steps, from the least likely to the most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.plan.candidates import Candidate
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.memory_vae import HALO
from yue2_desktop.plan.peaks import Stage
from yue2_desktop.plan.shape import SCORE_ROWS, SEMANTIC_ROWS, ModelShape, VaeShape

#: Score tokens for each frame of song, from and to: the song of memory-and-speed.md, section 3, has 0.68.
_SCORE_PER_FRAME: Final = (0.4, 1.0)
#: How long a song becomes where nothing is known but its ceiling, in parts of it.
_LEAST: Final = 0.5


@dataclass(frozen=True)
class Work:
    """The work of one stage: GB read, TFLOP of linears, of attention and of convolutions, GB copied to the card."""

    read_gb: float = 0.0
    linear_tflop: float = 0.0
    attention_tflop: float = 0.0
    conv_tflop: float = 0.0
    copy_gb: float = 0.0
    steps: int = 0

    @property
    def units(self) -> float:
        """The one figure that a measured stage is divided by: GB read for tokens, else TFLOP."""
        if self.read_gb:
            return self.read_gb
        return self.linear_tflop + self.attention_tflop + self.conv_tflop


def stage_work(stage: Stage, candidate: Candidate, demand: SongDemand, shape: ModelShape) -> tuple[Work, Work]:
    """The least and the most work that `stage` is likely to be."""
    least, most = likely_frames(demand)
    if stage == "score":
        low = max(1, min(demand.abc_ceiling, round(least * _SCORE_PER_FRAME[0])))
        high = max(low, min(demand.abc_ceiling, round(most * _SCORE_PER_FRAME[1])))
        before = (demand.score_prompt,)
        return (
            token_work(low, candidate, before, SCORE_ROWS, shape),
            token_work(high, candidate, before, SCORE_ROWS, shape),
        )
    if stage == "semantic":
        prompts = (demand.prefix, demand.negative_prefix) if demand.guided else (demand.prefix,)
        return (
            token_work(least, candidate, prompts, SEMANTIC_ROWS, shape),
            token_work(most, candidate, prompts, SEMANTIC_ROWS, shape),
        )
    if stage == "acoustic":
        return sound_work(least, candidate, demand, shape), sound_work(most, candidate, demand, shape)
    return decode_work(least, shape.vae), decode_work(most, shape.vae)


def likely_frames(demand: SongDemand) -> tuple[int, int]:
    """The least and the most frames that the song will have: what its words suggest, and its ceiling."""
    expected = demand.frames_expected if demand.frames_expected is not None else round(_LEAST * demand.frames_ceiling)
    return max(1, min(expected, demand.frames_ceiling)), demand.frames_ceiling


def token_work(tokens: int, candidate: Candidate, prompts: tuple[int, ...], head_rows: int, shape: ModelShape) -> Work:
    """`tokens` decode steps behind each of `prompts`: every step reads the weights and the cache so far.

    The branches of a guided song run one after the other, so a second one doubles the work.
    """
    ar = candidate.ar
    weights = ar.branch_bytes(shape) + ar.head_bytes(shape, head_rows)
    cache = sum(shape.kv_bytes(min(prompt + tokens // 2, shape.context)) for prompt in prompts)
    prefill = sum(_linear_tflop(prompt, shape) for prompt in prompts)
    return Work(
        read_gb=tokens * (len(prompts) * weights + cache) / 1e9,
        linear_tflop=prefill,
        attention_tflop=sum(_attention_tflop(prompt, prompt, shape) / 2 for prompt in prompts),
        steps=tokens * len(prompts),
    )


def sound_work(frames: int, candidate: Candidate, demand: SongDemand, shape: ModelShape) -> Work:
    """Prefill and all velocity evaluations of a song of `frames`, chunk by chunk."""
    chunk = shape.chunk_frames(frames, min(demand.prefix, shape.context - 5))
    sizes = [chunk] * (frames // chunk) + ([frames % chunk] if frames % chunk else [])
    linear = attention = 0.0
    for size in sizes:
        tokens, rows = demand.prefix + size + 1, size + 2
        linear += _linear_tflop(tokens, shape) + demand.evaluations * _linear_tflop(rows, shape)
        attention += _attention_tflop(tokens, tokens, shape) / 2
        attention += demand.evaluations * _attention_tflop(rows, tokens + rows, shape)
    layers = len(sizes) * candidate.ar.branch_bytes(shape)
    if candidate.residency == "streamed":
        layers += len(sizes) * demand.evaluations * candidate.nar.branch_bytes(shape)
    return Work(
        linear_tflop=linear,
        attention_tflop=attention,
        copy_gb=layers / 1e9 if candidate.nar_device == "cuda" else 0.0,
        steps=len(sizes) * demand.evaluations,
    )


def decode_work(frames: int, vae: VaeShape, core: int = 256) -> Work:
    """Convolutions of `frames` and of the halos of their tiles."""
    tiles = -(-frames // core)
    samples, products = 1, vae.latent_dim * vae.widths[0] * 7
    for wide, narrow, stride in vae.blocks:
        samples *= stride
        # A transposed convolution of kernel 2s touches each output sample twice; a unit has kernels 7 and 1.
        products += samples * (2 * wide * narrow + 3 * 8 * narrow * narrow)
    products += samples * vae.widths[-1] * vae.out_channels * 7
    return Work(conv_tflop=2 * products * (frames + 2 * HALO * tiles) / 1e12, steps=tiles)


def _linear_tflop(rows: int, shape: ModelShape) -> float:
    return 2 * rows * shape.layers * shape.layer_linear_weights / 1e12


def _attention_tflop(rows: int, keys: int, shape: ModelShape) -> float:
    return 4 * rows * keys * shape.query_width * shape.layers / 1e12
