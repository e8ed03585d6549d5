"""Matrices of different types under one another: q, k and v where v has a finer type than its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.quant.blocks import PackedBlocks


@dataclass(frozen=True)
class StackedLinear:
    """The outputs of the parts, one behind the other."""

    parts: tuple[Linear, ...]

    @property
    def out_features(self) -> int:
        return sum(part.out_features for part in self.parts)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([part(x) for part in self.parts], dim=-1)


def runs_of_one_type(parts: Sequence[PackedBlocks]) -> list[list[PackedBlocks]]:
    """The parts in order, neighbours of one type and width together."""
    runs: list[list[PackedBlocks]] = []
    for part in parts:
        if runs and runs[-1][0].type is part.type and runs[-1][0].columns == part.columns:
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs
