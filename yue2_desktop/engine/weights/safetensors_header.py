"""The header of a safetensors file, read and checked without reading a tensor."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.song.errors import Problem, ProblemKind

_LIMIT = 100_000_000
_WIDTHS = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1,
    "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip


@dataclass(frozen=True)
class TensorEntry:
    """One tensor as the header names it: its type's name, shape, bytes, and where in the file they begin."""

    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    offset: int


def read_header(path: Path) -> dict[str, TensorEntry]:
    """The tensors of a safetensors file. Raises Problem when it is no such file, or cut short."""
    size, start, raw = _raw(path)
    entries: dict[str, TensorEntry] = {}
    end = start
    for name, value in raw.items():
        if name == "__metadata__":
            continue
        entry = _entry(path, name, value, start)
        entries[name] = entry
        end = max(end, entry.offset + entry.nbytes)
    if size != end:
        raise Problem(
            ProblemKind.MODEL_DAMAGED,
            f"{path} is {size:,} bytes long, its header says {end:,}: "
            "the file is incomplete or was changed. Fetch it again.",
            path=str(path),
            size=size,
            expected=end,
        )
    return entries


def read_metadata(path: Path) -> dict[str, str]:
    """What a safetensors file says of itself beside its tensors. Raises Problem as `read_header` does."""
    metadata = _raw(path)[2].get("__metadata__")
    if not isinstance(metadata, dict):
        return {}
    return {str(key): str(value) for key, value in metadata.items()}


def _raw(path: Path) -> tuple[int, int, dict[str, object]]:
    """The file's size, where its tensors begin, and the parsed header."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            beginning = file.read(8)
            if beginning.startswith(b"GGUF"):
                raise Problem(
                    ProblemKind.BAD_FILE, f"{path} is a GGUF under another name. Give it the ending .gguf.",
                    path=str(path),
                )  # fmt: skip
            length = int.from_bytes(beginning, "little")
            if size < 8 or not 2 <= length <= min(_LIMIT, size - 8):
                raise _damaged(path, "it does not begin like a safetensors file")
            raw = json.loads(file.read(length))
    except OSError as error:
        raise Problem(
            ProblemKind.MODEL_MISSING, f"{path} cannot be read ({error.strerror}).", path=str(path)
        ) from error
    except ValueError as error:
        raise _damaged(path, "its header is not readable") from error
    if not isinstance(raw, dict):
        raise _damaged(path, "its header is not readable")
    return size, 8 + length, raw


def _entry(path: Path, name: str, value: object, data: int) -> TensorEntry:
    if not isinstance(value, dict):
        raise _damaged(path, f"the entry of tensor '{name}' is not readable")
    dtype, shape, offsets = value.get("dtype"), value.get("shape"), value.get("data_offsets")
    if (
        not isinstance(dtype, str)
        or dtype not in _WIDTHS
        or not isinstance(shape, list)
        or not all(type(side) is int and side >= 0 for side in shape)
        or not isinstance(offsets, list)
        or len(offsets) != 2
        or not all(type(offset) is int and offset >= 0 for offset in offsets)
    ):
        raise _damaged(path, f"the entry of tensor '{name}' is not readable")
    count = 1
    for side in shape:
        count *= side
    if offsets[1] - offsets[0] != count * _WIDTHS[dtype]:
        raise _damaged(path, f"the bytes of tensor '{name}' do not match its shape")
    return TensorEntry(dtype, tuple(shape), offsets[1] - offsets[0], data + offsets[0])


def _damaged(path: Path, why: str) -> Problem:
    return Problem(ProblemKind.MODEL_DAMAGED, f"{path} is damaged: {why}. Fetch the file again.", path=str(path))
