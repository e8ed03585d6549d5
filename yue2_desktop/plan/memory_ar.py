"""Closed-form peaks of the stages that write tokens: score and semantic.

Resident are all AR layers, the final norm, the phase's rows of lm_head and a KV cache of prompt and ceiling;
a second branch (guidance other than 1) has its own cache (design: the stages).
"""

from __future__ import annotations

from yue2_desktop.plan.activations import (
    causal_terms,
    mlp_terms,
    packed_mlp_terms,
    projection_terms,
    rope_bytes,
    sampling_bytes,
    unpacked_mlp_terms,
)
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.peaks import Peak, Stage, highest, moment
from yue2_desktop.plan.shape import SCORE_ROWS, SEMANTIC_ROWS, ModelShape
from yue2_desktop.plan.weights import Half


def score_peak(shape: ModelShape, ar: Half, demand: SongDemand, *, parked: int = 0, width: int = 2) -> Peak:
    """The peak while the score is written. `parked` are bytes of the other half that stay on the device."""
    capacity = min(demand.score_prompt + demand.abc_ceiling, shape.context)
    return _token_peak("score", shape, ar, SCORE_ROWS, (demand.score_prompt,), (capacity,), parked=parked, width=width)


def semantic_peak(shape: ModelShape, ar: Half, demand: SongDemand, *, parked: int = 0, width: int = 2) -> Peak:
    """The peak while the song's tokens are written; guidance adds a branch with a cache of its own."""
    branches = (demand.prefix, demand.negative_prefix) if demand.guided else (demand.prefix,)
    prompts = tuple(min(prompt, shape.context - 1) for prompt in branches)
    capacities = tuple(min(prompt + demand.frames_ceiling, shape.context) for prompt in prompts)
    return _token_peak("semantic", shape, ar, SEMANTIC_ROWS, prompts, capacities, parked=parked, width=width)


def _token_peak(
    stage: Stage,
    shape: ModelShape,
    ar: Half,
    head_rows: int,
    prompts: tuple[int, ...],
    capacities: tuple[int, ...],
    *,
    parked: int,
    width: int,
) -> Peak:
    fixed = {
        "AR layers": ar.branch_bytes(shape),
        "final norm": shape.hidden * width,
        "lm_head rows": ar.head_bytes(shape, head_rows),
        "other half": parked,
    }
    held = {
        "KV cache": sum(shape.kv_bytes(capacity, width) for capacity in capacities),
        "rotary tables": sum(rope_bytes(shape, capacity, width) for capacity in capacities),
    }
    rows = max(prompts)
    return highest(
        stage,
        moment("prefill, queries", fixed, {**held, **projection_terms(shape, rows, width)}),
        moment("prefill, attention", fixed, {**held, **causal_terms(shape, rows, width)}),
        moment("prefill, MLP", fixed, {**held, **_mlp(shape, ar, rows, width)}),
        moment("decode", fixed, {**held, "sampling": len(prompts) * sampling_bytes(shape)}),
    )


def _mlp(shape: ModelShape, ar: Half, rows: int, width: int) -> dict[str, int]:
    if ar.planes:
        return max((packed_mlp_terms(shape, rows, width, ar.planes), mlp_terms(shape, rows, width)), key=_total)
    if ar.dequantises:
        return unpacked_mlp_terms(shape, rows, width)
    return mlp_terms(shape, rows, width)


def _total(terms: dict[str, int]) -> int:
    return sum(terms.values())
