"""Who holds a document: a small file that names the process, so that two windows do not write over each other."""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import psutil

from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.disk_errors import write_problem
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

#: Systems give a process's start with some inaccuracy, and the clock may be set.
_START_TOLERANCE_S: Final = 3.0
_MAX_BYTES: Final = 4096

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Owner:
    """A process on a machine; `started` is when it began, in seconds since the epoch, since numbers are used again."""

    pid: int
    started: float
    host: str
    token: str

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs. One on another machine, with a shared folder, counts as running."""
        if self.host != socket.gethostname():
            return True
        try:
            started = psutil.Process(self.pid).create_time()
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True
        return abs(started - self.started) <= _START_TOLERANCE_S


class OwnerLock:
    """The right to write a document, from `take` until `release`; it ends with the process, too."""

    def __init__(self, path: Path, owner: Owner) -> None:
        self._path = path
        self._owner = owner

    @classmethod
    def take(cls, path: Path, *, by_force: bool = False) -> OwnerLock:
        """The lock at `path`, unless a running process has it.

        Raises Problem(OUTPUT_EXISTS) that names the process (data: pid, host), and as `write_bytes` where the folder
        cannot be written. `by_force` takes it from whoever has it.
        """
        holder = owner_at(path)
        if holder is not None and not by_force and holder.is_alive:
            raise _held(path, holder)
        owner = _this_process()
        data = json.dumps(asdict(owner)).encode("utf-8")
        make_folder(path.parent)
        if holder is None and not path.exists() and not by_force:
            _create(path, data)
        else:
            write_bytes(path, data)
        now = owner_at(path)
        if now is not None and now.token != owner.token:
            # Two processes found the lock of a dead one at once, and the other one wrote last.
            raise _held(path, now)
        return cls(path, owner)

    @property
    def is_held(self) -> bool:
        """Whether the lock is still this one's; a second window may have taken it by force."""
        now = owner_at(self._path)
        return now is not None and now.token == self._owner.token

    def release(self) -> None:
        """Gives the lock back; one that was taken away is left alone."""
        if self.is_held:
            self._path.unlink(missing_ok=True)


def owner_at(path: Path) -> Owner | None:
    """Who holds the lock at `path`, running or not; None if nobody does or the file says nothing."""
    try:
        values = json.loads(path.read_bytes()[:_MAX_BYTES])
        return Owner(int(values["pid"]), float(values["started"]), str(values["host"]), str(values["token"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("the lock %s cannot be read and is taken for nobody's: %s", path, error)
        return None


def _this_process() -> Owner:
    pid = os.getpid()
    return Owner(pid, psutil.Process(pid).create_time(), socket.gethostname(), secrets.token_hex(8))


def make_folder(folder: Path) -> None:
    """Makes `folder` and those above it; Problem(DISK_FULL) or (BAD_FILE) where that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_problem(folder, error) from error


def _create(path: Path, data: bytes) -> None:
    """Writes a file that must not be there yet, so that only one of two processes can be the first."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise _held(path, owner_at(path)) from error
    except OSError as error:
        raise write_problem(path, error) from error


def _held(path: Path, owner: Owner | None) -> Problem:
    """`owner` is None where another process is just writing the lock."""
    process = "another process" if owner is None else f"process {owner.pid}"
    if owner is not None and owner.host != socket.gethostname():
        process += f" on {owner.host}"
    return Problem(
        ProblemKind.OUTPUT_EXISTS,
        f"The song is open in another window ({process}); go on there, or close it first.",
        path=path_text(path),
        pid=None if owner is None else owner.pid,
        host=None if owner is None else owner.host,
    )
