"""What is typed is never lost: snapshots of open documents, found again after a crash or a restart.

A snapshot lies in a folder of the program's data, one file a document, written a moment after each change. While a
window has the document open, a lock beside the snapshot names the window's process; a snapshot whose process has
ended is one to be brought back (user-reports.md, rows 109 and 110).
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from yue2_desktop.song.atomic import remove_leftovers, write_bytes
from yue2_desktop.song.disk_errors import write_problem
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.filenames import native_path
from yue2_desktop.song.owner_lock import OwnerLock, make_folder, owner_at
from yue2_desktop.song.project_json import document_from_json, document_json
from yue2_desktop.song.textfile import read_json
from yue2_desktop.song.wording import path_text

_FORMAT: Final = "yue2song-recovery"
_VERSION: Final = 1
_SUFFIX: Final = ".recovery"
_LOCK_SUFFIX: Final = ".owner"
#: A pause in typing after which a snapshot is due, and the longest that one waits while typing goes on (row 110).
QUIET_S: Final = 0.8
LONGEST_S: Final = 2.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Snapshot:
    """A document as it was at a moment. `project` is its file, None for one that was never saved.

    `mark` is the mark of that file (`project_file.Project`) when it was last read or written; `written` is the time
    in seconds since the epoch. `place` is the file that it was read from.
    """

    document: SongDocument
    project: Path | None = None
    mark: str = ""
    written: float = 0.0
    place: Path | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Found:
    """Snapshots that no window holds, newest first, and one sentence for each file that could not be read."""

    snapshots: tuple[Snapshot, ...]
    damaged: tuple[str, ...]


class Recovery:
    """The folder of the snapshots. All writing raises Problem(DISK_FULL) or (BAD_FILE).

    What this object wrote or adopted is its own. Any other snapshot is of a window that ended, and may be all that is
    left of what was typed there: it is neither removed nor written over.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: set[str] = set()
        self._aside: dict[Path, Path] = {}

    def hold(self, document_id: str, *, by_force: bool = False) -> OwnerLock:
        """The right to write snapshots of a document; Problem(OUTPUT_EXISTS) while another window has it."""
        return OwnerLock.take(self._lock(document_id), by_force=by_force)

    def write(self, snapshot: Snapshot) -> None:
        """Writes the snapshot in place of the document's last own one; takes some milliseconds, flushing included.

        One that was left behind is set aside under a name of its own.
        """
        make_folder(self._folder)
        name = snapshot.document.id
        if name not in self._own:
            self._set_aside(self._file(name))
            self._own.add(name)
        values = {
            "format": _FORMAT,
            "version": _VERSION,
            "written": snapshot.written or time.time(),
            "project": None if snapshot.project is None else path_text(snapshot.project),
            "mark": snapshot.mark,
            "song": document_json(snapshot.document),
        }
        data = json.dumps(values, ensure_ascii=False, allow_nan=False).encode("utf-8")
        write_bytes(self._file(snapshot.document.id), data)

    def discard(self, document_id: str) -> None:
        """Removes the document's own snapshot: it was saved, or closed without saving."""
        if document_id in self._own:
            self._file(document_id).unlink(missing_ok=True)
            self._own.discard(document_id)

    def adopt(self, snapshot: Snapshot) -> None:
        """A snapshot of `left_behind` was brought back: from now on it is the document's own."""
        if snapshot.place is None:
            return
        name = snapshot.document.id
        place = self._aside.pop(snapshot.place, snapshot.place)
        if name not in self._own and place != self._file(name):
            self._set_aside(self._file(name))
        try:
            os.replace(place, self._file(name))
        except FileNotFoundError:
            _log.info("the snapshot %s went while it was brought back", path_text(place))
        except OSError as error:
            raise write_problem(place, error) from error
        self._own.add(name)

    def left_behind(self) -> Found:
        """The snapshots of windows that have ended, by a crash or not, newest first.

        A file that cannot be read stays where it is and is told.
        """
        found: list[Snapshot] = []
        damaged: list[str] = []
        if self._folder.is_dir():
            for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
                owner = owner_at(path.with_suffix(_LOCK_SUFFIX))
                if owner is not None and owner.is_alive:
                    continue
                try:
                    found.append(_read(path))
                except Problem as problem:
                    _log.warning("%s", problem.sentence)
                    damaged.append(problem.sentence)
            if not any(self._has_live_owner(lock) for lock in self._folder.glob(f"*{_LOCK_SUFFIX}")):
                remove_leftovers(self._folder)
        return Found(tuple(sorted(found, key=lambda one: -one.written)), tuple(damaged))

    def _set_aside(self, file: Path) -> None:
        if not file.exists():
            return
        free = next(
            place for number in itertools.count(2) if not (place := file.with_suffix(f".{number}{_SUFFIX}")).exists()
        )
        try:
            os.replace(file, free)
        except OSError as error:
            raise write_problem(file, error) from error
        self._aside[file] = free
        _log.info("the snapshot of a window that ended is kept as %s", path_text(free))

    def _has_live_owner(self, lock: Path) -> bool:
        owner = owner_at(lock)
        return owner is not None and owner.is_alive

    def _file(self, document_id: str) -> Path:
        # A document's id begins with a letter or digit and holds nothing that a file name may not; the word before
        # it keeps device names of Windows apart.
        return self._folder / f"song-{document_id}{_SUFFIX}"

    def _lock(self, document_id: str) -> Path:
        return self._file(document_id).with_suffix(_LOCK_SUFFIX)


def seconds_until_due(now: float, first_change: float, last_change: float) -> float:
    """How long to wait before a snapshot is written, in seconds; 0 when it is due.

    All times are of one clock. `first_change` is the first one since the last snapshot.
    """
    return max(0.0, min(last_change + QUIET_S, first_change + LONGEST_S) - now)


def _read(path: Path) -> Snapshot:
    values = read_json(path, "snapshot")
    if not isinstance(values, dict) or values.get("format") != _FORMAT or values.get("version") != _VERSION:
        raise _bad(path)
    project, mark, written = values.get("project"), values.get("mark", ""), values.get("written")
    if not isinstance(project, str | None) or not isinstance(mark, str):
        raise _bad(path)
    if isinstance(written, bool) or not isinstance(written, int | float):
        raise _bad(path)
    document = document_from_json(values.get("song"), path)
    return Snapshot(document, None if project is None else native_path(project), mark, float(written), path)


def _bad(path: Path) -> Problem:
    place = path_text(path)
    return Problem(
        ProblemKind.BAD_FILE,
        f"Snapshot {place} is not one that this version can read; it was left where it is.",
        path=place,
    )
