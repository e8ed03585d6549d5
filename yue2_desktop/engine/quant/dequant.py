"""Blocks kept as they lie in the file, made dense a few rows at a time: the reference, and the way for many rows."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.quant.blocks import PackedBlocks
from yue2_desktop.engine.quant.unpacking import dequantise

#: Rows of weights that are dense at once.
_DENSE_ROWS = 1024


@dataclass(frozen=True)
class DequantisedLinear:
    """Multiplies with the values of the blocks, rounded once to x's dtype. Slow for one row: never for decoding."""

    blocks: PackedBlocks

    @property
    def out_features(self) -> int:
        return self.blocks.rows

    @property
    def nbytes(self) -> int:
        return self.blocks.nbytes

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty(x.shape[0], self.blocks.rows, dtype=x.dtype, device=x.device)
        for start in range(0, self.blocks.rows, _DENSE_ROWS):
            stop = min(start + _DENSE_ROWS, self.blocks.rows)
            y[:, start:stop] = F.linear(x, dequantise(self.blocks.part(start, stop), x.dtype))
        return y
