"""Matrices as they lie in a file: rows of fixed-size blocks, in one of the ggml number formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class BlockType:
    """A ggml number format: its number in a file, and how many bytes hold how many consecutive elements of a row."""

    name: str
    number: int
    elements: int
    nbytes: int

    @property
    def dense(self) -> bool:
        """Whether each element stands by itself, as a floating-point number."""
        return self.elements == 1

    def row_bytes(self, columns: int) -> int:
        """Bytes of a row. Raises ValueError when blocks do not fill it."""
        if columns % self.elements:
            raise ValueError(f"{columns} columns are no multiple of {self.elements}, the block of {self.name}")
        return columns // self.elements * self.nbytes


F32 = BlockType("F32", 0, 1, 4)
F16 = BlockType("F16", 1, 1, 2)
Q4_0 = BlockType("Q4_0", 2, 32, 18)
Q4_1 = BlockType("Q4_1", 3, 32, 20)
Q5_0 = BlockType("Q5_0", 6, 32, 22)
Q5_1 = BlockType("Q5_1", 7, 32, 24)
Q8_0 = BlockType("Q8_0", 8, 32, 34)
Q2_K = BlockType("Q2_K", 10, 256, 84)
Q3_K = BlockType("Q3_K", 11, 256, 110)
Q4_K = BlockType("Q4_K", 12, 256, 144)
Q5_K = BlockType("Q5_K", 13, 256, 176)
Q6_K = BlockType("Q6_K", 14, 256, 210)
BF16 = BlockType("BF16", 30, 1, 2)

#: Every type that this program multiplies with, by name.
BLOCK_TYPES = {kind.name: kind for kind in (F32, F16, BF16, Q8_0, Q6_K, Q5_K, Q5_1, Q5_0, Q4_K, Q4_1, Q4_0, Q3_K, Q2_K)}
_DENSE = {torch.float32: F32, torch.float16: F16, torch.bfloat16: BF16}
_DTYPES = {kind.name: dtype for dtype, kind in _DENSE.items()}


@dataclass(frozen=True)
class PackedBlocks:
    """A matrix [rows, columns] in one type: `data` is uint8 [rows, bytes of a row], contiguous."""

    type: BlockType
    data: torch.Tensor
    columns: int

    @property
    def rows(self) -> int:
        return self.data.shape[0]

    @property
    def nbytes(self) -> int:
        return self.data.nbytes

    def values(self) -> torch.Tensor:
        """The matrix as stored, a view in its own dtype; for dense types."""
        return self.data.view(_DTYPES[self.type.name])

    def part(self, start: int, stop: int) -> PackedBlocks:
        """Rows start..stop-1, a view."""
        return PackedBlocks(self.type, self.data[start:stop], self.columns)

    def to(self, device: torch.device) -> PackedBlocks:
        return PackedBlocks(self.type, self.data.to(device), self.columns)


def from_dense(weight: torch.Tensor) -> PackedBlocks:
    """A float32, float16 or bfloat16 matrix as blocks of one element each: the same memory where it is contiguous."""
    return PackedBlocks(_DENSE[weight.dtype], weight.contiguous().view(torch.uint8), weight.shape[1])


def under_one_another(parts: Sequence[PackedBlocks]) -> PackedBlocks:
    """The rows of all parts in order. Blocks lie within rows, so no value changes; types and widths must be equal."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if any(part.type is not first.type or part.columns != first.columns for part in parts):
        raise ValueError("only matrices of one type and width can be put under one another")
    return PackedBlocks(first.type, torch.cat([part.data for part in parts]), first.columns)
