"""Rotary positions: tables in fp32, rounded to the model's dtype, on half-split heads (spec yue2, section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class RopeTable:
    """cos and sin [positions, head_dim / 2] for positions `first`.. in order."""

    cos: torch.Tensor
    sin: torch.Tensor
    first: int

    def rows(self, start: int, count: int) -> RopeTable:
        """The part for positions start..start+count-1 (views)."""
        at = start - self.first
        return RopeTable(self.cos[at : at + count], self.sin[at : at + count], start)

    def split(self, count: int) -> Iterator[RopeTable]:
        """The table in parts of `count` positions, the last one short (views)."""
        parts = zip(torch.split(self.cos, count), torch.split(self.sin, count), strict=True)
        return (RopeTable(cos, sin, self.first + at * count) for at, (cos, sin) in enumerate(parts))


def rope_table(
    first: int, count: int, head_dim: int, theta: float, dtype: torch.dtype, device: torch.device
) -> RopeTable:
    """Tables for positions first..first+count-1. Frequencies and angles are fp32, whatever `dtype` is."""
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim
    frequencies = 1.0 / theta**exponents
    positions = torch.arange(first, first + count, dtype=torch.float32)
    angles = positions[:, None] * frequencies[None, :]
    return RopeTable(angles.cos().to(dtype).to(device), angles.sin().to(dtype).to(device), first)


def rotate(x: torch.Tensor, table: RopeTable, out: torch.Tensor | None = None) -> torch.Tensor:
    """x [n, heads, head_dim] turned to the n positions of `table`, into `out` where it is given.

    Every product and sum is rounded in x's dtype. `out` has x's shape, any strides, and memory of its own.
    """
    a, b = x.chunk(2, dim=-1)
    cos, sin = table.cos.unsqueeze(1), table.sin.unsqueeze(1)
    if out is None:
        out = torch.empty_like(x)
    left, right = out.chunk(2, dim=-1)
    torch.sub(a * cos, b * sin, out=left)
    torch.add(b * cos, a * sin, out=right)
    return out
