"""Closed-form peak of the acoustic stage: a prefill with AR layers streamed, then the ODE with NAR.

The prefill keeps keys and values of all A = prefix + frames + 1 tokens; each velocity evaluation runs
N = frames + 2 rows over A + N keys (spec/yue2.md, section 4). NAR is resident or streamed through three
layer buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from yue2_desktop.plan.activations import (
    causal_terms,
    mlp_terms,
    open_terms,
    projection_terms,
    rope_bytes,
    unpacked_mlp_terms,
)
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.peaks import Moment, Peak, highest, moment
from yue2_desktop.plan.shape import ModelShape
from yue2_desktop.plan.weights import Half

Residency = Literal["resident", "streamed"]
#: Layer buffers of a streamed half: one computes, one is being filled, one is in flight.
LAYER_BUFFERS: Final = 3
#: Latents kept through a step: state, midpoint and velocity.
_LATENT_COPIES: Final = 3


@dataclass(frozen=True)
class Chunk:
    """The longest chunk of a song: `tokens` in the AR cache, `rows` of an evaluation, `frames` of latents."""

    tokens: int
    rows: int
    frames: int

    @property
    def keys(self) -> int:
        """Keys that each row of an evaluation sees."""
        return self.tokens + self.rows


def longest_chunk(shape: ModelShape, demand: SongDemand) -> Chunk:
    """The longest chunk of the song that `demand` bounds."""
    prefix = min(demand.prefix, shape.context - 5)
    frames = shape.chunk_frames(demand.frames_ceiling, prefix)
    return Chunk(tokens=prefix + frames + 1, rows=frames + 2, frames=frames)


def acoustic_peak(
    shape: ModelShape,
    ar: Half,
    nar: Half,
    demand: SongDemand,
    residency: Residency,
    *,
    both_resident: bool = False,
    parked: int = 0,
    width: int = 2,
) -> Peak:
    """The peak of prefill and ODE over the longest chunk.

    `ar` is the half that the prefill streams; with `both_resident` (mode bf16) it stays beside NAR instead. `parked`
    are bytes of other parts that stay on the device.
    """
    chunk = longest_chunk(shape, demand)
    weights = _Weights(shape, ar, nar, residency, both_resident, parked, width)
    cache = {"KV cache": shape.kv_bytes(chunk.tokens, width)}
    prefill = {**cache, "rotary tables": rope_bytes(shape, chunk.tokens, width)}
    ode = {
        **cache,
        "latents": chunk.frames * shape.latent_dim * _LATENT_COPIES * width,
        "rotary tables": rope_bytes(shape, chunk.rows, width),
        "workspace of keys and values": 2 * shape.kv_width * chunk.keys * width,
    }
    return highest("acoustic", *_prefill(weights, chunk.tokens, prefill), *_ode(weights, chunk.rows, ode))


@dataclass(frozen=True)
class _Weights:
    """What lies on the device in the acoustic stage."""

    shape: ModelShape
    ar: Half
    nar: Half
    residency: Residency
    both_resident: bool
    parked: int
    width: int

    def flow(self, rows: int) -> dict[str, int]:
        return {
            "boundary linears and norm": self.shape.boundary_weights * self.width,
            "position rows": rows * self.shape.hidden * self.width,
        }

    def layers(self, name: str, part: Half, *, resident: bool) -> dict[str, int]:
        if resident:
            return {f"{name} layers": part.branch_bytes(self.shape)}
        buffers = min(LAYER_BUFFERS, self.shape.layers)
        return {f"{name} layer buffers": buffers * part.layer_bytes(self.shape)}

    def mlp(self, part: Half, rows: int) -> dict[str, int]:
        if part.dequantises:
            return unpacked_mlp_terms(self.shape, rows, self.width)
        return mlp_terms(self.shape, rows, self.width)


def _prefill(weights: _Weights, tokens: int, held: dict[str, int]) -> tuple[Moment, ...]:
    fixed = {
        **weights.layers("AR", weights.ar, resident=weights.both_resident),
        **(weights.layers("NAR", weights.nar, resident=True) if weights.both_resident else {}),
        "other parts": weights.parked,
    }
    shape, width = weights.shape, weights.width
    return (
        moment("prefill, queries", fixed, {**held, **projection_terms(shape, tokens, width)}),
        moment("prefill, attention", fixed, {**held, **causal_terms(shape, tokens, width)}),
        moment("prefill, MLP", fixed, {**held, **weights.mlp(weights.ar, tokens)}),
    )


def _ode(weights: _Weights, rows: int, held: dict[str, int]) -> tuple[Moment, ...]:
    fixed = {
        **(weights.layers("AR", weights.ar, resident=True) if weights.both_resident else {}),
        **weights.layers("NAR", weights.nar, resident=weights.residency == "resident"),
        **weights.flow(rows),
        "other parts": weights.parked,
    }
    shape, width = weights.shape, weights.width
    return (
        moment("ODE, queries", fixed, {**held, **projection_terms(shape, rows, width)}),
        moment("ODE, attention", fixed, {**held, **open_terms(shape, rows, width)}),
        moment("ODE, MLP", fixed, {**held, **weights.mlp(weights.nar, rows)}),
    )
