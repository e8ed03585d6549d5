"""One place, two spellings: whether two paths name the same folder, and whether one lies in the other.

Windows adds `\\\\?\\` to long paths in some answers and not in others, and minds no difference of case; a comparison
of texts then misses the place and leaves files behind (user-reports.md, row 71). Everything here is text only.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
from pathlib import PurePath
from typing import Final

_LONG: Final = "\\\\?\\"
_LONG_SHARE: Final = "\\\\?\\UNC\\"


def plain_spelling(text: str) -> str:
    """A Windows path without the prefix for long paths; any other path as it is.

    The bin and the other programs of the shell refuse the prefix. A volume by its number (`\\\\?\\Volume{...}`) has
    no plain spelling.
    """
    if text[: len(_LONG_SHARE)].upper() == _LONG_SHARE:
        return "\\\\" + text[len(_LONG_SHARE) :]
    rest = text.removeprefix(_LONG)
    return rest if rest[:1].isalpha() and rest[1:2] == ":" else text


def place_key(path: PurePath | str, *, windows: bool = os.name == "nt") -> str:
    """A text that is equal for two absolute paths just when they name the same place, links aside.

    Under `windows` the case of letters, the kind of slash and the prefix for long paths make no difference; letters
    that differ in more than case do, also where they look alike.
    """
    if not windows:
        return posixpath.normpath(path)
    plain = ntpath.normpath(plain_spelling(str(path).replace("/", "\\")))
    # File systems of Windows fold letter by letter: ß is never the same as SS.
    return "".join(upper if len(upper := letter.upper()) == 1 else letter for letter in plain)


def same_place(first: PurePath | str, second: PurePath | str, *, windows: bool = os.name == "nt") -> bool:
    """Whether two absolute paths name the same place."""
    return place_key(first, windows=windows) == place_key(second, windows=windows)


def lies_in(path: PurePath | str, folder: PurePath | str, *, windows: bool = os.name == "nt") -> bool:
    """Whether the absolute `path` lies in `folder`, at any depth; a folder does not lie in itself."""
    separator = "\\" if windows else "/"
    inner, outer = place_key(path, windows=windows), place_key(folder, windows=windows)
    return inner != outer and inner.startswith(outer.rstrip(separator) + separator)
