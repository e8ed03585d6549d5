"""The header of a GGUF file as bytes, version 3; the tensors follow in the same order (ggml's published format)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from yue2_desktop.engine.quant.blocks import BlockType
from yue2_desktop.engine.weights.gguf_header import MAGIC

ALIGNMENT = 32
_UINT32, _STRING, _ARRAY = 4, 8, 9

Value = str | int | Sequence[str]


@dataclass(frozen=True)
class TensorPlan:
    """A tensor to be written: its name, shape as torch has it, and type."""

    name: str
    shape: tuple[int, ...]
    type: BlockType

    @property
    def nbytes(self) -> int:
        rows = 1
        for side in self.shape[:-1]:
            rows *= side
        return rows * self.type.row_bytes(self.shape[-1])


def padding(nbytes: int) -> bytes:
    """What fills a place of so many bytes up to the alignment."""
    return bytes(-nbytes % ALIGNMENT)


def header_bytes(values: Mapping[str, Value], tensors: Sequence[TensorPlan]) -> bytes:
    """Header, padded so that the first tensor can follow. Whole numbers are written as uint32."""
    parts = [MAGIC, struct.pack("<IQQ", 3, len(tensors), len(values))]
    for key, value in values.items():
        parts.append(_text(key))
        if isinstance(value, str):
            parts += (struct.pack("<I", _STRING), _text(value))
        elif isinstance(value, int):
            parts.append(struct.pack("<II", _UINT32, value))
        else:
            parts.append(struct.pack("<IIQ", _ARRAY, _STRING, len(value)))
            parts += (_text(item) for item in value)
    offset = 0
    for tensor in tensors:
        sides = tensor.shape[::-1]
        parts += (_text(tensor.name), struct.pack(f"<I{len(sides)}Q", len(sides), *sides))
        parts.append(struct.pack("<IQ", tensor.type.number, offset))
        offset += tensor.nbytes + len(padding(tensor.nbytes))
    header = b"".join(parts)
    return header + padding(len(header))


def file_bytes(header: bytes, tensors: Sequence[TensorPlan]) -> int:
    """Size of the whole file."""
    return len(header) + sum(tensor.nbytes + len(padding(tensor.nbytes)) for tensor in tensors)


def _text(text: str) -> bytes:
    data = text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data
