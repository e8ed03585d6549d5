"""From blocks to what the int4 kernels take: 4-bit codes in one or two planes, with scale and zero a group of 32.

The kernels compute w = (code - 8) * scale + zero, scale and zero in bf16. A 4-bit type is one plane; a type of up to
8 bits is the sum of two, of the high and of the low bits of its codes. Codes are carried over untouched, so that one
rounding of scale and zero to bf16 is all that changes (for Q6_K see `_requantised`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.unpacking import (
    codes_q4,
    codes_q4_k,
    codes_q5,
    codes_q5_k,
    dequantise,
    group_scales,
    half_at,
)

#: Elements that share a scale and a zero.
GROUP = 32


@dataclass(frozen=True)
class Plane:
    """codes uint8 [rows, columns] in 0..15; scale and zero bf16 [rows, columns / 32]."""

    codes: torch.Tensor
    scale: torch.Tensor
    zero: torch.Tensor

    def dense(self) -> torch.Tensor:
        """What the kernels multiply with, float32 [rows, columns]."""
        grouped = self.codes.float().view(len(self.codes), -1, GROUP) - 8
        return (grouped * self.scale.float()[..., None] + self.zero.float()[..., None]).flatten(1)


#: Codes uint8 [n, groups, 32] and, a group each, scale and offset: w = scale * (code - middle) + offset, float32.
_Grouped = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def planes(blocks: PackedBlocks) -> tuple[Plane, ...]:
    """One plane for 4-bit types, two for the others, high bits first: their sum is the matrix."""
    name = blocks.type.name
    data = blocks.data.reshape(-1, blocks.type.nbytes)
    if name in _ONE_PLANE:
        return (_single(*_ONE_PLANE[name](data), blocks),)
    if name in _FIVE_BITS:
        return _pair(*_FIVE_BITS[name](data), blocks, low_bits=1)
    codes, scale = _q8_0(data) if name == "Q8_0" else _requantised(dequantise(blocks))
    return _pair(codes, scale, torch.zeros_like(scale), blocks, low_bits=4)


def is_exact(name: str) -> bool:
    """Whether the codes of a type are carried over untouched."""
    return name in _ONE_PLANE or name in _FIVE_BITS or name == "Q8_0"


def plane_count(name: str) -> int:
    """How many int4 products a type takes."""
    return 1 if name in _ONE_PLANE else 2


def _single(codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor, blocks: PackedBlocks) -> Plane:
    rows = blocks.rows
    return Plane(codes.reshape(rows, -1), scale.reshape(rows, -1).bfloat16(), offset.reshape(rows, -1).bfloat16())


def _pair(
    codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor, blocks: PackedBlocks, *, low_bits: int
) -> tuple[Plane, Plane]:
    """w = s * (c - m) + o with c = base * hi + lo and m = 8 * base, as (hi - 8) * base * s + (lo - 8) * s + 8 s + o."""
    base = 1 << low_bits
    rows = blocks.rows
    exact, offset = scale.reshape(rows, -1), offset.reshape(rows, -1)
    low = exact.bfloat16()
    rounded = low.float()
    high_codes, low_codes = (codes >> low_bits).reshape(rows, -1), (codes & (base - 1)).reshape(rows, -1)
    # `base` is a power of two: the high scale is exact once the low one is rounded.
    high = Plane(high_codes, (rounded * base).bfloat16(), torch.zeros_like(low))
    return high, Plane(low_codes, low, (8 * rounded + offset).bfloat16())


def _q4_0(data: torch.Tensor) -> _Grouped:
    scale = half_at(data, 0)
    return codes_q4(data, 2), scale, torch.zeros_like(scale)


def _q4_1(data: torch.Tensor) -> _Grouped:
    scale = half_at(data, 0)
    return codes_q4(data, 4), scale, half_at(data, 2) + 8 * scale


def _q4_k(data: torch.Tensor) -> _Grouped:
    scale, minimum = group_scales(data)
    return codes_q4_k(data), scale, 8 * scale - minimum


def _q5_0(data: torch.Tensor) -> _Grouped:
    scale = half_at(data, 0)
    return codes_q5(data, 2), scale, torch.zeros_like(scale)


def _q5_1(data: torch.Tensor) -> _Grouped:
    scale = half_at(data, 0)
    return codes_q5(data, 4), scale, half_at(data, 2) + 16 * scale


def _q5_k(data: torch.Tensor) -> _Grouped:
    scale, minimum = group_scales(data)
    return codes_q5_k(data), scale, 16 * scale - minimum


_ONE_PLANE: dict[str, Callable[[torch.Tensor], _Grouped]] = {"Q4_0": _q4_0, "Q4_1": _q4_1, "Q4_K": _q4_k}
_FIVE_BITS: dict[str, Callable[[torch.Tensor], _Grouped]] = {"Q5_0": _q5_0, "Q5_1": _q5_1, "Q5_K": _q5_k}


def _q8_0(data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    # From -128..127 to 0..255: the sign bit turned over, two's complement.
    return data[:, 2:] ^ 128, half_at(data, 0)


def _requantised(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """8-bit codes with one scale for 32 elements, of a type whose own scales stand for 16 (Q6_K, Q3_K, Q2_K) or 1.

    This one is not exact: rounding to 1/127 of the largest of 32 adds the error of Q8_0.
    """
    values = weight.view(-1, GROUP)
    scale = values.abs().amax(1, keepdim=True) / 127
    scale = scale.bfloat16().float()
    # The rounding of the scale is taken into the codes, which have room for it: 127 * (1 + 2^-8) rounds to 127.
    codes = (values / scale.clamp_min(torch.finfo(torch.float32).tiny)).round_().clamp_(-128, 127)
    return (codes + 128).to(torch.uint8), scale
