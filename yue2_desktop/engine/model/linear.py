"""The role of a linear layer: something that maps rows [n, in] to rows [n, out], whatever its weights are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F


class Linear(Protocol):
    """A linear map without state; backends differ in how they keep the weights."""

    @property
    def out_features(self) -> int: ...

    @property
    def nbytes(self) -> int:
        """Bytes that the weights take where they lie."""
        ...

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """x [n, in] -> [n, out], in x's dtype."""
        ...


@dataclass(frozen=True)
class DenseLinear:
    """Weights as one dense matrix [out, in], with a bias [out] or without."""

    weight: torch.Tensor
    bias: torch.Tensor | None = None

    @property
    def out_features(self) -> int:
        return self.weight.shape[0]

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes + (self.bias.nbytes if self.bias is not None else 0)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight, self.bias)
