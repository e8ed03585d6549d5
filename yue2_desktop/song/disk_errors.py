"""What the operating system says about a file that cannot be written, turned into a `Problem`."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

_FULL: Final = frozenset(number for name in ("ENOSPC", "EDQUOT") if (number := getattr(errno, name, None)) is not None)
#: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL of Windows.
_FULL_WINDOWS: Final = frozenset({39, 112})


def write_problem(path: Path, error: OSError, kept: Sequence[str] | None = None) -> Problem:
    """The problem for a failed write to `path`; `kept` names the files of a take that are safely on disk already, None
    where it is no take that is written.

    DISK_FULL where the disk or the user's share of it is full, else BAD_FILE with the system's own reason.
    """
    place = path_text(path)
    if error.errno in _FULL or getattr(error, "winerror", None) in _FULL_WINDOWS:
        safe = ""
        if kept is not None:
            safe = f"; kept are {', '.join(kept)}" if kept else "; no finished stage was lost"
        return Problem(
            ProblemKind.DISK_FULL,
            f"The disk is full: {place} could not be written{safe}. Free some space there and continue.",
            path=place,
            free_bytes=_free_bytes(path),
            kept=list(kept or ()),
        )
    reason = error.strerror or str(error)
    return Problem(
        ProblemKind.BAD_FILE,
        f"{place} could not be written ({reason}); choose another folder or allow writing there.",
        path=place,
        reason=reason,
        kept=list(kept or ()),
    )


def _free_bytes(path: Path) -> int | None:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return None
