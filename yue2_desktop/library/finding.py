"""Finding the takes below a folder, without following links and without going on inside a take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.library.describe import is_take
from yue2_desktop.song.wording import path_text

#: Folders below the output folder that are looked into: enough for a folder a year, a song, a take and one more.
MAX_DEPTH: Final = 4


@dataclass(frozen=True)
class Unreadable:
    """A folder that could not be looked into, and a sentence that says so."""

    folder: Path
    sentence: str


def find_takes(root: Path, *, depth: int = MAX_DEPTH) -> Iterator[Path | Unreadable]:
    """The folders of takes in `root` (itself included) and up to `depth` folders below, by name.

    Folders whose name begins with a dot are the system's (bins, snapshots) and left out. A `root` that is not there
    holds nothing; one, or a folder below, that cannot be read is told.
    """
    if is_take(root):
        yield root
        return
    try:
        with os.scandir(root) as entries:
            names = sorted(entry.name for entry in entries if _is_folder(entry))
    except FileNotFoundError:
        return
    except OSError as error:
        place = path_text(root)
        reason = error.strerror or str(error)
        yield Unreadable(root, f"{place} cannot be looked into for takes ({reason}); allow reading it.")
        return
    for name in names:
        if depth > 0:
            yield from find_takes(root / name, depth=depth - 1)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
