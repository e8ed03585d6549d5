"""Tensors of GGUF files under the checkpoint's names, as dense values or as the blocks that lie in the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from yue2_desktop.engine.quant.blocks import BlockType, PackedBlocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.weights.gguf_header import GgufHeader, GgufTensor
from yue2_desktop.engine.weights.gguf_layouts import GgufLayout
from yue2_desktop.engine.weights.layout import Shape
from yue2_desktop.song.errors import Problem, ProblemKind

_DENSE = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@dataclass(frozen=True)
class _Place:
    path: Path
    tensor: GgufTensor

    @property
    def type(self) -> BlockType:
        if self.tensor.type is None:
            raise Problem(
                ProblemKind.UNSUPPORTED,
                f"Tensor '{self.tensor.name}' of {self.path} is {self.tensor.type_name}, which this program does not "
                "read. Take a Q8_0, Q6_K, Q5_K, Q4_K, Q4_0 or BF16 file.",
                path=str(self.path),
                tensor=self.tensor.name,
            )
        return self.tensor.type


class GgufSource:
    """A `BlockSource` over one GGUF file, or over the several files of layout C.

    Files are read where a tensor lies and never mapped, so that no page of them counts as this process's memory.
    Reading a tensor of a type that is not known here raises Problem(UNSUPPORTED).
    """

    def __init__(
        self,
        files: Sequence[tuple[GgufHeader, GgufLayout]],
        where: str | None = None,
        shapes: Mapping[str, Shape] | None = None,
    ) -> None:
        """`shapes` are what tensors should have: sides of length 1, which ggml may drop, are restored to them."""
        self._where = where or str(files[0][0].path)
        self._places: dict[str, _Place] = {}
        for header, layout in files:
            for name, stored in layout.names.items():
                tensor = header.tensors[stored]
                restored = replace(tensor, shape=_restored(tensor.shape, (shapes or {}).get(name)))
                self._places.setdefault(name, _Place(header.path, restored))

    @property
    def where(self) -> str:
        return self._where

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(place.path for place in self._places.values()))

    def names(self) -> frozenset[str]:
        return frozenset(self._places)

    def shape(self, name: str) -> tuple[int, ...]:
        return self._places[name].tensor.shape

    def block_type(self, name: str) -> BlockType:
        return self._places[name].type

    def read(self, name: str) -> torch.Tensor:
        place = self._places[name]
        shape = place.tensor.shape
        if place.type.dense:
            out = torch.empty(shape, dtype=_DENSE[place.type.name])
            _read_into(place, 0, out)
            return out
        return dequantise(self._blocks(name, 0, shape[0]))

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        place = self._places[name]
        dtype = _DENSE[place.type.name] if place.type.dense else torch.float32
        out = torch.empty(stop - start, *place.tensor.shape[1:], dtype=dtype)
        self.read_rows_into(name, start, out)
        return out

    def read_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills out [n, ...] (CPU, contiguous, a floating dtype) with rows start..start+n-1."""
        place = self._places[name]
        if not place.type.dense:
            dequantise(self._blocks(name, start, start + out.shape[0]), out=out)
            return
        stored = _DENSE[place.type.name]
        rows = out if out.dtype is stored else torch.empty(out.shape, dtype=stored)
        _read_into(place, start * (place.tensor.nbytes // place.tensor.shape[0]), rows)
        if rows is not out:
            out.copy_(rows)

    def read_block_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills out uint8 [n, bytes of a row] (CPU, contiguous) with the blocks of rows start..start+n-1."""
        _read_into(self._places[name], start * out.shape[1], out)

    def _blocks(self, name: str, start: int, stop: int) -> PackedBlocks:
        kind, columns = self.block_type(name), self.shape(name)[-1]
        data = torch.empty(stop - start, kind.row_bytes(columns), dtype=torch.uint8)
        self.read_block_rows_into(name, start, data)
        return PackedBlocks(kind, data, columns)


def _read_into(place: _Place, start: int, out: torch.Tensor) -> None:
    """Fills a contiguous tensor with the bytes from `start` on of a stored one."""
    target = memoryview(out.view(-1).view(torch.uint8).numpy().data)
    try:
        with place.path.open("rb", buffering=0) as file:
            file.seek(place.tensor.offset + start)
            got = 0
            while got < len(target):
                more = file.readinto(target[got:])
                if not more:
                    raise _unreadable(place, "the file ends before it")
                got += more
    except OSError as error:
        raise _unreadable(place, error.strerror) from error


def _restored(stored: Shape, wanted: Shape | None) -> Shape:
    if wanted is None or stored == wanted:
        return stored
    same = [side for side in stored if side != 1] == [side for side in wanted if side != 1]
    return wanted if same else stored


def _unreadable(place: _Place, why: object) -> Problem:
    return Problem(
        ProblemKind.MODEL_DAMAGED,
        f"Tensor '{place.tensor.name}' of {place.path} cannot be read ({why}). Fetch the file again.",
        path=str(place.path),
        tensor=place.tensor.name,
    )
