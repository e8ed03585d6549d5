"""From text to names and paths: a title as a file name for every system, and a written path as the system's own."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Final

#: Longest name including its suffix, in characters (user-reports.md, row 69): a data root of 150 characters
#: plus this stays below the 260 of Windows.
MAX_NAME_CHARS: Final = 80
#: File systems of Linux allow 255 bytes a name, and a character can take four.
MAX_NAME_BYTES: Final = 255
UNTITLED: Final = "song"

_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
_RESERVED: Final = frozenset({
    "con", "prn", "aux", "nul", "conin$", "conout$", "clock$",
    *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³"),
})  # fmt: skip
#: Categories that have no business in a name: surrogates and private characters. Unassigned ones stay, since
#: they may be emoji that are younger than this Python.
_NO_GLYPH: Final = frozenset({"Cs", "Co"})
#: Invisible marks that joined letters and emoji need; every other format character (such as a change of the
#: writing direction, which hides the true suffix) is dropped.
_JOINERS: Final = frozenset("\u200c\u200d")


def safe_file_name(title: str, suffix: str = "") -> str:
    """`title` as a file name of at most 80 characters with `suffix` (such as `.flac`) at its end.

    Letters of every script and emoji stay (NFC); what Windows forbids becomes `_` or is dropped: separators,
    control characters, device names such as NUL (also with an ending), spaces and dots at the ends. A title
    of which nothing is left becomes `song`. `suffix` is the program's own and must be short and plain.
    """
    text = "".join(_letter(char) for char in unicodedata.normalize("NFC", title))
    name = _trimmed(" ".join(text.split())) or UNTITLED
    if name.split(".")[0].rstrip(" ").lower() in _RESERVED:
        name = f"_{name}"
    return _fitted(name, suffix) + suffix


def native_path(text: str) -> Path:
    """The path that `text`, from a request or a title rather than from the system, stands for.

    Only under LANG=C this differs from `Path(text)`: there Python would refuse letters beyond ASCII, although
    the names on the disk are UTF-8.
    """
    return Path(os.fsdecode(text.encode("utf-8", "surrogateescape"))) if os.name == "posix" else Path(text)


def _letter(char: str) -> str:
    if char in _FORBIDDEN:
        return "_"
    category = unicodedata.category(char)
    if category in {"Cc", "Zl", "Zp"}:
        return " "
    if category in _NO_GLYPH or (category == "Cf" and char not in _JOINERS):
        return ""
    return char


def _fitted(name: str, suffix: str) -> str:
    chars = MAX_NAME_CHARS - len(suffix)
    size = MAX_NAME_BYTES - len(suffix.encode("utf-8"))
    # UTF-16 units are what Windows counts: a letter beyond the basic plane takes two.
    cut = name
    while len(cut.encode("utf-16-le")) // 2 > chars or len(cut.encode("utf-8")) > size:
        cut = cut[:-1]
    if len(cut) < len(name):
        cut = _whole_characters(cut, name[len(cut)])
    return _trimmed(cut) or UNTITLED


def _whole_characters(cut: str, following: str) -> str:
    """`cut` without a last character whose marks or joined parts were cut off."""
    if _continues(following) or cut.endswith("\u200d"):
        while len(cut) > 1 and (_continues(cut[-1]) or cut.endswith("\u200d")):
            cut = cut[:-1]
        cut = cut[:-1]
    return cut


def _continues(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char) in {"Mn", "Mc", "Me", "Sk"}


def _trimmed(name: str) -> str:
    return name.strip(" .\u200c\u200d")
