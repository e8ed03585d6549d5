"""Reading a take's files: once, as plain files only, so that what was hashed is what is used."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

#: Above the largest artefact that is read whole: the latents of the longest song take 6 MiB.
MAX_FILE_BYTES: Final = 64 * 1024 * 1024
_BLOCK_BYTES: Final = 1 << 20


def read_file(path: Path, *, limit: int = MAX_FILE_BYTES) -> bytes:
    """The content of a plain file.

    Raises Problem(BAD_FILE) when it is missing, a folder, a link (the bytes behind a link can change without
    the take), larger than `limit` bytes, or unreadable.
    """
    require_plain_file(path)
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > limit:
        raise bad_file(path, f"is larger than {limit:,} bytes, so it is not a file of a take")
    return data


def hash_file(path: Path) -> str:
    """The sha256 of a plain file in lower-case hex, read block by block; errors as `read_file`."""
    require_plain_file(path)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
    except OSError as error:
        raise _unreadable(path, error) from error
    return digest.hexdigest()


def require_plain_file(path: Path) -> None:
    """Raises Problem(BAD_FILE) unless `path` itself, not what it may link to, is a file."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError as error:
        raise bad_file(path, "is missing; choose the folder of a take that has it") from error
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if stat.S_ISLNK(mode):
        raise bad_file(path, "is a link, which a take may not hold; put the file itself there")
    if not stat.S_ISREG(mode):
        raise bad_file(path, "is not a file; choose the folder of a take")


def bad_file(path: Path, rest: str, **data: object) -> Problem:
    """Problem(BAD_FILE) whose sentence begins with the path."""
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"{place} {rest}.", path=place, **data)


def _unreadable(path: Path, error: OSError | ValueError) -> Problem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return bad_file(path, f"cannot be read ({reason}); allow reading it or choose another take")
