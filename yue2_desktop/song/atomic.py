"""Writing a file in one step: whoever looks finds the earlier content or the whole new one, never a part."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from yue2_desktop.song.disk_errors import write_problem

#: Short and apart from the target's own name, so that the longest name allowed for a file stays possible.
_TEMPORARY_PREFIX: Final = ".yue2-"
_TEMPORARY_SUFFIX: Final = ".part"
#: Some network and FUSE file systems cannot flush a folder; the file itself was flushed.
_NO_FOLDER_SYNC: Final = frozenset({errno.EINVAL, errno.EOPNOTSUPP, errno.EBADF, errno.EACCES})
_REPLACE_TRIES: Final = 10
_REPLACE_PAUSE_S: Final = 0.05

_log = logging.getLogger(__name__)


@contextmanager
def atomic_file(path: Path, *, kept: Sequence[str] | None = None) -> Iterator[BinaryIO]:
    """A new binary file, to write and read, that takes the place of `path` when the block ends, flushed to the disk.

    If the block raises, `path` is as it was and the temporary file is gone. An OSError, also one from the
    block, becomes Problem(DISK_FULL) or Problem(BAD_FILE); `kept` names what is on disk already.
    """
    temporary = path.with_name(f"{_TEMPORARY_PREFIX}{secrets.token_hex(4)}{_TEMPORARY_SUFFIX}")
    try:
        with temporary.open("x+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        _discard(temporary)
        raise write_problem(path, error, kept) from error
    except BaseException:
        _discard(temporary)
        raise


def write_bytes(path: Path, data: bytes, *, kept: Sequence[str] | None = None) -> None:
    """Writes `data` as the whole content of `path` in one step; errors as `atomic_file`."""
    with atomic_file(path, kept=kept) as file:
        file.write(data)


def remove_leftovers(folder: Path) -> None:
    """Deletes temporary files that a killed process left in `folder`."""
    for leftover in leftovers(folder):
        _discard(leftover)


def leftovers(folder: Path) -> list[Path]:
    """The temporary files in `folder`: of a killed process, or of a write that is going on."""
    return list(folder.glob(f"{_TEMPORARY_PREFIX}*{_TEMPORARY_SUFFIX}"))


def sync_folder(folder: Path) -> None:
    """Flushes the names in `folder` to the disk, where the system has such a thing."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def _replace(temporary: Path, path: Path) -> None:
    """Renames over `path`; on Windows a virus scanner or a player may hold either file for a moment."""
    for _ in range(_REPLACE_TRIES - 1):
        try:
            temporary.replace(path)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(_REPLACE_PAUSE_S)
        else:
            return
    temporary.replace(path)


def _discard(temporary: Path) -> None:
    try:
        temporary.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("the temporary file %s could not be removed: %s", temporary, error)
