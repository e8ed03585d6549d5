"""Moving a take to the system's bin, when the user asks for it and never otherwise (user-reports.md, row 113)."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from yue2_desktop.library.describe import is_take
from yue2_desktop.library.names import AUDIO_NAMES, JOURNAL, RESULT
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.spelling import lies_in, plain_spelling
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

#: Moves a path to the bin, or raises OSError.
Send = Callable[[str], None]

#: DRIVE_FIXED of Windows. Shares and sticks have no bin, and the shell deletes there without a word.
_FIXED_DRIVE: Final = 3

_log = logging.getLogger(__name__)


def trash_take(
    folder: Path, roots: Sequence[Path], *, release: Callable[[], None] = lambda: None, send: Send | None = None
) -> None:
    """Moves the folder of a take in one of `roots` to the bin, in whichever spelling either is given (row 71).

    `release` makes the player let go of the sound first (row 73). `send` is for tests; None is the system's bin.
    Raises Problem(BAD_FILE) for a folder that is no take, is a link, or lies in none of `roots`, and where the system
    has no bin for it or something of it stays, naming a file that is left; nothing is ever deleted instead.
    """
    # The shell, whose bin it is, knows no other spelling.
    place = Path(plain_spelling(str(folder.absolute())))
    if not any(lies_in(place, root.absolute()) for root in roots):
        raise bad_file(place, "does not lie in your folder of takes; move it to the bin in the file manager")
    if place.is_symlink() or not is_take(place):
        raise bad_file(place, "is not the folder of a take, so that it is left alone")
    release()
    try:
        (send or _send)(str(place))
    except OSError as error:
        if os.path.lexists(place):
            raise _left(place, error) from error
        _log.warning("the bin took %s, but complained: %s", place, error)
    if os.path.lexists(place):
        raise _left(place, None)


def _send(path: str) -> None:
    from send2trash import send2trash

    if _drive_type(path) not in {None, _FIXED_DRIVE}:
        raise OSError("Windows has no bin on this drive and would delete for good")
    send2trash(path)


def _drive_type(path: str) -> int | None:
    """What Windows calls the drive of `path`; None on other systems, whose bins fail where there is none."""
    if sys.platform != "win32":
        return None
    else:  # noqa: RET505 - mypy follows the platform only so
        import ctypes

        return int(ctypes.windll.kernel32.GetDriveTypeW(os.path.splitdrive(path)[0] + "\\"))


_BUSY_FIRST: Final = (*AUDIO_NAMES, RESULT)


def _left(place: Path, error: OSError | None) -> Problem:
    files = _files(place)
    held = next((file for file in files if _is_held(file)), None)
    left = held or (files[0] if files else place)
    reason = f" ({error.strerror or error})" if error is not None else ""
    cure = (
        "another program holds it: close that and try again"
        if held is not None
        else "see whether it may be moved and its disk has a bin"
    )
    return Problem(
        ProblemKind.BAD_FILE,
        f"{path_text(place)} could not be moved to the bin{reason}. Left is {path_text(left)}; {cure}. "
        "Nothing was deleted.",
        path=path_text(place),
        left=[path_text(file) for file in files],
    )


def _files(place: Path) -> list[Path]:
    """The files of a take that are still there, those that a player may hold first."""
    found = [path for folder in (place, place / JOURNAL) if folder.is_dir() for path in folder.iterdir()]
    rank = {name: number for number, name in enumerate(_BUSY_FIRST)}
    return sorted((path for path in found if path.is_file()), key=lambda path: (rank.get(path.name, len(rank)), path))


def _is_held(file: Path) -> bool:
    """Whether another program holds the file so that it cannot be moved: only Windows has that, and says so here."""
    try:
        file.rename(file)
    except PermissionError:
        return True
    except OSError as error:
        _log.debug("%s cannot be tried: %s", file, error)
    return False
