"""The queue for a window, which is to open whatever its file is like: a damaged one is put aside, never thrown away."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Final

from yue2_desktop.queue.store import QueueStore
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.wording import path_text

_IN_MEMORY: Final = Path(":memory:")


def open_queue(path: Path) -> tuple[QueueStore, str]:
    """The queue at `path`, and a sentence for the user, empty where all is well.

    A file that is no queue is renamed, and an empty queue begins. Where that cannot be done, jobs are kept in memory.
    """
    try:
        return _readable(path), ""
    except (Problem, OSError, sqlite3.Error) as error:
        reason = error
    if isinstance(reason, Problem) and path.is_file():
        aside = path.with_name(f"{path.stem} damaged {time.strftime('%Y-%m-%d %H%M%S')}{path.suffix}")
        with contextlib.suppress(Problem, OSError, sqlite3.Error):
            path.rename(aside)
            for tail in ("-wal", "-shm"):  # they belong to the file that is gone
                path.with_name(path.name + tail).unlink(missing_ok=True)
            return _readable(path), (
                f"The render queue could not be read and begins empty; the old one is {path_text(aside)}. "
                "Finished takes stay where they are."
            )
    return QueueStore.open(_IN_MEMORY), (
        f"The render queue {path_text(path)} cannot be used ({_short(reason)}); jobs are kept until the window is "
        "closed. Allow that folder, or make room in it."
    )


def _readable(path: Path) -> QueueStore:
    store = QueueStore.open(path)
    try:
        store.jobs()
    except (Problem, sqlite3.Error):
        store.close()
        raise
    return store


def _short(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).rstrip(".")
