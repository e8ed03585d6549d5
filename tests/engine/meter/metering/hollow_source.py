"""Weights that are shapes only, dense or in blocks, and what of them lies on the card at each moment."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import torch
from metering.storages import StorageMeter

from yue2_desktop.engine.quant.blocks import BF16, BlockType
from yue2_desktop.engine.weights.layout import EMBEDDING, LM_HEAD


class Part(StrEnum):
    """What a weight belongs to."""

    AR = "AR layers"
    NAR = "NAR layers"
    HEAD = "lm_head"
    EMBEDDING = "embedding table"
    OTHER = "other"


def part_of(name: str) -> Part:
    """The part that a tensor of the released layout belongs to."""
    if name == EMBEDDING:
        return Part.EMBEDDING
    if name == LM_HEAD:
        return Part.HEAD
    if not name.startswith("model.layers."):
        return Part.OTHER
    return Part.NAR if ".nar_" in name else Part.AR


class Whereabouts:
    """Which parts have weights on the card. `together` are all sets of parts that were there at the same time."""

    def __init__(self, meter: StorageMeter) -> None:
        self._meter = meter
        self._parts: dict[int, Part] = {}
        self._bytes: dict[Part, int] = dict.fromkeys(Part, 0)
        self.together: set[frozenset[Part]] = {frozenset()}
        self.most: dict[Part, int] = dict.fromkeys(Part, 0)
        meter.on_free = self._freed

    def filled(self, tensor: torch.Tensor, part: Part) -> None:
        """A tensor on the card was filled with weights of a part, whatever its memory held before."""
        address = tensor.untyped_storage()._cdata
        self._freed(address)
        self._parts[address] = part
        self._bytes[part] += self._meter.sizes[address]
        self.most[part] = max(self.most[part], self._bytes[part])
        self.together.add(frozenset(kind for kind, size in self._bytes.items() if size))

    def _freed(self, address: int) -> None:
        part = self._parts.pop(address, None)
        if part is not None:
            self._bytes[part] -= self._meter.sizes[address]


class HollowSource:
    """A `TensorSource` of the given shapes without values. What is read straight onto the card is written down.

    Where something is to be computed in earnest, all weights are `value`.
    """

    def __init__(
        self,
        shapes: Mapping[str, tuple[int, ...]],
        dtype: torch.dtype,
        whereabouts: Whereabouts,
        value: float | None = None,
    ) -> None:
        self._shapes = shapes
        self._dtype = dtype
        self._whereabouts = whereabouts
        self._value = value
        #: The most rows of the embedding table that were read at once.
        self.embedding_rows = 0

    @property
    def where(self) -> str:
        return "a hollow model"

    def names(self) -> frozenset[str]:
        return frozenset(self._shapes)

    def shape(self, name: str) -> tuple[int, ...]:
        return self._shapes[name]

    def read(self, name: str) -> torch.Tensor:
        return self._new(self._shapes[name])

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        if name == EMBEDDING:
            self.embedding_rows = max(self.embedding_rows, stop - start)
        return self._new((stop - start, *self._shapes[name][1:]))

    def read_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        assert start + out.shape[0] <= self._shapes[name][0]
        if out.device.type != "cpu":
            self._whereabouts.filled(out, part_of(name))
        elif self._value is not None:
            out.fill_(self._value)

    def _new(self, shape: tuple[int, ...]) -> torch.Tensor:
        out = torch.empty(shape, dtype=self._dtype)
        return out if self._value is None else out.fill_(self._value)


class HollowBlocks(HollowSource):
    """A `BlockSource`: the linear maps of layers and `lm_head` are blocks of one type, as in a quantised file."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], kind: BlockType, whereabouts: Whereabouts) -> None:
        super().__init__(shapes, torch.bfloat16, whereabouts)
        self._kind = kind

    def block_type(self, name: str) -> BlockType:
        matrix = len(self.shape(name)) == 2 and part_of(name) in {Part.AR, Part.NAR, Part.HEAD}
        return self._kind if matrix else BF16

    def read_block_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        assert start + out.shape[0] <= self.shape(name)[0]
        if out.device.type != "cpu":
            self._whereabouts.filled(out, part_of(name))
