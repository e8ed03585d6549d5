"""A checkpoint whose matrices are read in fewer bits: quantised a few rows at a time as they come from the file."""

from __future__ import annotations

import torch

from yue2_desktop.engine.quant.blocks import BF16, F32, BlockType
from yue2_desktop.engine.quant.packing import quantise
from yue2_desktop.engine.weights.layout import EMBEDDING
from yue2_desktop.engine.weights.source import TensorSource

#: Rows that are in memory as numbers and as blocks at once.
_ROWS = 2048


class QuantisingSource:
    """A `BlockSource` over dense tensors: every matrix but the embedding table has blocks of `kind`.

    The same blocks as `yue2-desktop convert` writes, without the file: slower to load, and no disk is needed.
    """

    def __init__(self, source: TensorSource, kind: BlockType) -> None:
        self._source = source
        self._kind = kind

    @property
    def where(self) -> str:
        return self._source.where

    def names(self) -> frozenset[str]:
        return self._source.names()

    def shape(self, name: str) -> tuple[int, ...]:
        return self._source.shape(name)

    def read(self, name: str) -> torch.Tensor:
        return self._source.read(name)

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        return self._source.read_rows(name, start, stop)

    def block_type(self, name: str) -> BlockType:
        shape = self.shape(name)
        if len(shape) == 2 and name != EMBEDDING and shape[1] % self._kind.elements == 0:
            return self._kind
        return F32 if self._source.read_rows(name, 0, 1).dtype is torch.float32 else BF16

    def read_block_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills out uint8 [n, bytes of a row] with the blocks of rows start..start+n-1."""
        kind = self.block_type(name)
        for at in range(0, out.shape[0], _ROWS):
            part = out[at : at + _ROWS]
            rows = self._source.read_rows(name, start + at, start + at + part.shape[0])
            part.copy_(quantise(rows, kind).data)
