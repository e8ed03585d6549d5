"""Where tensors come from: by name, one at a time, never the whole file at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import torch

from yue2_desktop.engine.quant.blocks import BlockType, PackedBlocks, from_dense


class TensorSource(Protocol):
    """Read access to named tensors, on the CPU, in the type they are stored in."""

    @property
    def where(self) -> str:
        """The file or folder, for sentences."""
        ...

    def names(self) -> frozenset[str]: ...

    def shape(self, name: str) -> tuple[int, ...]: ...

    def read(self, name: str) -> torch.Tensor:
        """The tensor as dense values, in a floating dtype. The memory is the caller's."""
        ...

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        """Rows start..stop-1 of a matrix, without reading the others."""
        ...


@runtime_checkable
class DirectSource(Protocol):
    """A source that can read straight into memory that is there already."""

    def read_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills out [n, ...] (CPU, contiguous, a floating dtype) with rows start..start+n-1."""
        ...


def fill_rows(source: TensorSource, name: str, start: int, out: torch.Tensor) -> None:
    """Fills out [n, ...] on the CPU with rows start.. of a tensor, without a copy between where the source can."""
    if isinstance(source, DirectSource):
        source.read_rows_into(name, start, out)
    else:
        out.copy_(source.read_rows(name, start, start + out.shape[0]))


@runtime_checkable
class BlockSource(TensorSource, Protocol):
    """A source whose matrices may be quantised: they can be read as the blocks that lie in the file."""

    def block_type(self, name: str) -> BlockType: ...

    def read_block_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills out uint8 [n, bytes of a row] (CPU, contiguous) with the blocks of rows start..start+n-1."""
        ...


def block_rows(source: TensorSource, name: str, start: int, stop: int) -> PackedBlocks:
    """Rows start..stop-1 of a matrix as they are stored, without reading the others."""
    if not isinstance(source, BlockSource):
        return from_dense(source.read_rows(name, start, stop))
    kind, columns = source.block_type(name), source.shape(name)[-1]
    data = torch.empty(stop - start, kind.row_bytes(columns), dtype=torch.uint8)
    source.read_block_rows_into(name, start, data)
    return PackedBlocks(kind, data, columns)


class MemorySource:
    """Tensors that are in memory already: random models of the bench, and tests."""

    def __init__(self, tensors: Mapping[str, torch.Tensor], where: str = "memory") -> None:
        self._tensors = tensors
        self._where = where

    @property
    def where(self) -> str:
        return self._where

    def names(self) -> frozenset[str]:
        return frozenset(self._tensors)

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._tensors[name].shape)

    def read(self, name: str) -> torch.Tensor:
        return self._tensors[name]

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        return self._tensors[name][start:stop]
