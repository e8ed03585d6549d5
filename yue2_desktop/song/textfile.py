"""Reading a user's text and JSON files: UTF-8 only, and every failure says where it is and how to mend it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Final, NoReturn

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text, shown

#: No request, lyrics or score comes near this; a larger file is some other file, chosen by mistake.
MAX_TEXT_BYTES: Final = 16 * 1024 * 1024

_UTF8_SIGNATURE: Final = b"\xef\xbb\xbf"
_WIDE_SIGNATURES: Final = (b"\xff\xfe", b"\xfe\xff")


def read_utf8(path: Path, what: str) -> str:
    """The text of a UTF-8 file, line ends as they are, without the signature (BOM) that some editors write.

    `what` names the file's part in the sentence, for example `lyrics file`. Raises Problem(BAD_FILE) when it
    cannot be read, is larger than 16 MiB, or is not UTF-8 (naming the byte, counted from 0).
    """
    return decode_utf8(read_bytes(path, what), path, what)


def decode_utf8(data: bytes, path: Path, what: str) -> str:
    """As `read_utf8`, for bytes that were read already."""
    if data.startswith(_WIDE_SIGNATURES):
        raise _bad(path, what, "is UTF-16 text; save it as UTF-8", offset=0)
    signature = len(_UTF8_SIGNATURE) if data.startswith(_UTF8_SIGNATURE) else 0
    try:
        return data[signature:].decode("utf-8")
    except UnicodeDecodeError as error:
        offset = signature + error.start
        line = data.count(b"\n", 0, offset) + 1
        raise _bad(
            path,
            what,
            f"is not UTF-8: byte {offset} (line {line}) is 0x{data[offset]:02X}; "
            "open it in a text editor and save it as UTF-8",
            offset=offset,
            line=line,
        ) from error


def read_json(path: Path, what: str) -> object:
    """The value in a UTF-8 JSON file: dict, list, str, int, float, bool or None.

    Raises Problem(BAD_FILE) as `read_utf8` does, and for malformed JSON (line and column), NaN, infinities,
    and a name given twice in one object.
    """
    return parse_json(read_utf8(path, what), path, what)


def parse_json(text: str, path: Path, what: str) -> object:
    """As `read_json`, for text that was read already."""

    def refuse(constant: str) -> NoReturn:
        raise _bad(path, what, f"holds {constant}, which is not JSON; write an ordinary number")

    def number(digits: str) -> float:
        value = float(digits)
        if not math.isfinite(value):
            refuse(digits[:20])
        return value

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise _bad(path, what, f"gives {shown(twice)} twice in one object; keep one of them")
        return members

    try:
        value: object = json.loads(text, parse_constant=refuse, parse_float=number, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise _bad(
            path,
            what,
            f"is not valid JSON: {error.msg} at line {line}, column {column}; mend that place",
            line=line,
            column=column,
        ) from error
    except RecursionError as error:
        raise _bad(path, what, "is nested too deeply; it is not a file of this program") from error
    except ValueError as error:
        # Python refuses to read an int of more than some thousand digits.
        raise _bad(path, what, "holds a number with too many digits; write a smaller one") from error
    return value


def read_bytes(path: Path, what: str, *, limit: int | None = None) -> bytes:
    """The bytes of a text file; Problem(BAD_FILE) when it cannot be read or has more than `limit` bytes (16 MiB)."""
    limit = MAX_TEXT_BYTES if limit is None else limit
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError as error:
        raise _bad(path, what, "does not exist; check the name") from error
    except IsADirectoryError as error:
        raise _bad(path, what, "is a folder; name the file in it") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _bad(path, what, f"cannot be read ({reason}); choose another file") from error
    if len(data) > limit:
        raise _bad(path, what, f"is larger than {limit >> 20} MiB, so it is not text; choose another file")
    return data


def _bad(path: Path, what: str, rest: str, **data: object) -> Problem:
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"{what[:1].upper()}{what[1:]} {place} {rest}.", path=place, **data)
