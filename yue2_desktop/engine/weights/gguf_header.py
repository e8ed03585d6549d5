"""The header of a GGUF file, read and checked without reading a tensor (ggml's published format, versions 2 and 3)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, BlockType
from yue2_desktop.song.errors import Problem, ProblemKind

MAGIC = b"GGUF"
#: Above these a header is nonsense, not a model: the largest real ones hold 628 tensors and under 100 values.
_MOST_TENSORS, _MOST_VALUES, _MOST_NAME, _MOST_SIDES = 65_536, 65_536, 65_535, 4
#: Longest text of a value: a tokenizer in JSON, or a model's own configuration.
_MOST_TEXT = 1 << 26
_TYPES = {kind.number: kind for kind in BLOCK_TYPES.values()}
#: Names of ggml types that are not multiplied with here, for the sentence that says so.
_OTHER_TYPES = {
    9: "Q8_1", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S", 20: "IQ4_NL", 21: "IQ3_S",
    22: "IQ2_S", 23: "IQ4_XS", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 34: "TQ1_0",
    35: "TQ2_0", 39: "MXFP4", 40: "NVFP4",
}  # fmt: skip
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True)
class GgufArray:
    """A value that is a list: `kind` is the number of its items' type, `offset` where the first begins in the file."""

    kind: int
    count: int
    offset: int


Value = str | int | float | bool | GgufArray


@dataclass(frozen=True)
class GgufTensor:
    """One tensor: its type (None for one that is not multiplied with here), shape as torch has it, place and bytes."""

    name: str
    type: BlockType | None
    type_name: str
    shape: tuple[int, ...]
    offset: int
    nbytes: int


@dataclass(frozen=True)
class GgufHeader:
    """What a file says of itself."""

    path: Path
    values: Mapping[str, Value]
    tensors: Mapping[str, GgufTensor]

    def text(self, key: str) -> str | None:
        """A value that is text; None when it is missing or something else."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def strings(self, key: str) -> list[bytes] | None:
        """The items of a list of texts, as bytes; None when there is no such list. Raises Problem."""
        found = self.values.get(key)
        if not isinstance(found, GgufArray) or found.kind != _STRING:
            return None
        with _opened(self.path) as file:
            cursor = _Cursor(file, self.path, found.offset)
            return [cursor.string(_MOST_TEXT) for _ in range(found.count)]

    def numbers(self, key: str) -> list[int] | None:
        """The items of a list of whole numbers; None when there is no such list. Raises Problem."""
        found = self.values.get(key)
        if not isinstance(found, GgufArray) or found.kind not in _NUMBERS:
            return None
        with _opened(self.path) as file:
            cursor = _Cursor(file, self.path, found.offset)
            return [int(cursor.number(found.kind)) for _ in range(found.count)]


def is_gguf(path: Path) -> bool:
    """Whether a file begins like a GGUF. Raises OSError when it cannot be read."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def read_gguf_header(path: Path) -> GgufHeader:
    """Reads and checks a header. Raises Problem(MODEL_MISSING) or Problem(MODEL_DAMAGED), also for a cut file."""
    with _opened(path) as file:
        cursor = _Cursor(file, path, 0)
        if cursor.take(4) != MAGIC:
            raise _not_gguf(cursor)
        version = cursor.number(4)
        if version not in {2, 3}:
            raise _unknown_version(path, int(version))
        tensor_count, value_count = int(cursor.number(10)), int(cursor.number(10))
        if tensor_count > _MOST_TENSORS or value_count > _MOST_VALUES:
            raise damaged(path, f"its header speaks of {tensor_count:,} tensors and {value_count:,} values")
        values: dict[str, Value] = {}
        for _ in range(value_count):
            key = cursor.text(_MOST_NAME)
            values[key] = cursor.value()
        alignment = values.get("general.alignment", 32)
        if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1) or alignment > 1 << 20:
            raise damaged(path, "its alignment is no power of two")
        raw = [_tensor_info(cursor) for _ in range(tensor_count)]
        data = -(-cursor.at // alignment) * alignment
        return GgufHeader(path, values, _tensors(path, cursor.size, data, raw))


_Info = tuple[str, tuple[int, ...], int, int]


def _tensor_info(cursor: _Cursor) -> _Info:
    name = cursor.text(_MOST_NAME)
    sides = int(cursor.number(4))
    if sides > _MOST_SIDES:
        raise damaged(cursor.path, f"tensor '{name}' has {sides} dimensions")
    shape = tuple(int(cursor.number(10)) for _ in range(sides))
    # ggml names the fastest dimension first, torch last.
    return name, shape[::-1], int(cursor.number(4)), int(cursor.number(10))


def _tensors(path: Path, size: int, data: int, infos: list[_Info]) -> dict[str, GgufTensor]:
    tensors: dict[str, GgufTensor] = {}
    end = 0
    for name, shape, number, offset in infos:
        if name in tensors:
            raise damaged(path, f"tensor '{name}' is listed twice")
        kind = _TYPES.get(number)
        count = 1
        for side in shape:
            count *= side
        if count > 1 << 40:
            raise damaged(path, f"tensor '{name}' has the shape {list(shape)}")
        columns = shape[-1] if shape else 1
        if kind is not None and columns % kind.elements:
            raise damaged(path, f"rows of tensor '{name}' do not consist of whole {kind.name} blocks")
        nbytes = kind.row_bytes(columns) * (count // columns if columns else 0) if kind is not None else 0
        type_name = kind.name if kind is not None else _OTHER_TYPES.get(number, f"type {number}")
        tensors[name] = GgufTensor(name, kind, type_name, shape, data + offset, nbytes)
        end = max(end, data + offset + nbytes)
    if size < end:
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{path} is {size:,} bytes long, its header says {end:,}: the file is incomplete. Fetch it again.",
            path=str(path),
            size=size,
            expected=end,
        )
    return tensors


class _Cursor:
    """Reads forward through a header and never past the end of the file."""

    def __init__(self, file: BinaryIO, path: Path, at: int) -> None:
        self.path = path
        self.size = path.stat().st_size
        self.at = at
        self._file = file
        file.seek(at)

    def take(self, count: int) -> bytes:
        self._require(count)
        try:
            found = self._file.read(count)
        except OSError as error:
            raise damaged(self.path, f"reading it fails ({error.strerror})") from error
        if len(found) != count:
            raise damaged(self.path, "it ends within its header")
        self.at += count
        return found

    def skip(self, count: int) -> None:
        self._require(count)
        self.at += count
        self._file.seek(self.at)

    def _require(self, count: int) -> None:
        if count > self.size - self.at:
            raise damaged(self.path, "it ends within its header")

    def number(self, kind: int) -> int | float | bool:
        layout = "<" + _NUMBERS[kind]
        found: int | float | bool = struct.unpack(layout, self.take(struct.calcsize(layout)))[0]
        return found

    def string(self, limit: int) -> bytes:
        length = int(self.number(10))
        if length > limit:
            raise damaged(self.path, f"its header holds a text of {length:,} bytes")
        return self.take(length)

    def text(self, limit: int) -> str:
        return self.string(limit).decode("utf-8", errors="replace")

    def value(self) -> Value:
        kind = int(self.number(4))
        if kind == _STRING:
            return self.text(_MOST_TEXT)
        if kind == _ARRAY:
            return self._array()
        if kind not in _NUMBERS:
            raise damaged(self.path, f"its header holds a value of unknown type {kind}")
        return self.number(kind)

    def _array(self) -> GgufArray:
        kind, count = int(self.number(4)), int(self.number(10))
        found = GgufArray(kind, count, self.at)
        if kind in _NUMBERS:
            self.skip(struct.calcsize("<" + _NUMBERS[kind]) * count)
        elif kind == _STRING:
            self._require(8 * count)
            for _ in range(count):
                self.skip(int(self.number(10)))
        else:
            raise damaged(self.path, f"its header holds a list of unknown type {kind}")
        return found


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise Problem(
            ProblemKind.MODEL_MISSING, f"{path} cannot be read ({error.strerror}).", path=str(path)
        ) from error


def damaged(path: Path, why: str) -> Problem:
    """The problem of a file that is not what its header says."""
    return Problem(ProblemKind.MODEL_DAMAGED, f"{path} is damaged: {why}. Fetch the file again.", path=str(path))


def _not_gguf(cursor: _Cursor) -> Problem:
    """A safetensors file begins with the length of its header and the brace that opens it."""
    path = cursor.path
    if cursor.size > 9 and cursor.take(5)[-1:] == b"{":
        sentence = f"{path} is a safetensors file under another name. Give it the ending .safetensors."
        return Problem(ProblemKind.BAD_FILE, sentence, path=str(path))
    return damaged(path, "it does not begin like a GGUF file")


def _unknown_version(path: Path, version: int) -> Problem:
    if version & 0xFFFF == 0:
        return Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{path} was written for big-endian machines. Take the little-endian file.",
            path=str(path),
        )
    return Problem(
        ProblemKind.MODEL_DAMAGED, f"{path} is GGUF version {version}; versions 2 and 3 are known.", path=str(path)
    )
