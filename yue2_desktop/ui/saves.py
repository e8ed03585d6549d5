"""Saves of songs in the order in which they were asked for: a window's own are not taken for another program's."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.project_file import Project, save_project


class Saves:
    """Remembers each file's content as this window last read or wrote it, by its mark (`Project.mark`).

    What the window knows of a file is older than the file while one of its own saves is not heard of yet; so this is
    asked when a file is written, and not when its saving is asked for. Used from the window's thread and from the one
    beside it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._marks: dict[Path, str] = {}

    def know(self, path: Path, mark: str) -> None:
        """A file was read."""
        with self._lock:
            self._marks[path] = mark

    def save(self, document: SongDocument, path: Path, *, anew: bool, backs_up: bool = True) -> Project:
        """Writes `document` to `path`; `anew` is for a file that was chosen just now, whatever is in it.

        Without `backs_up` the last good version stays the one that it was.

        Raises Problem as `save_project`.
        """
        with self._lock:
            expected = None if anew else self._marks.get(path) or None
            project = save_project(document, path, expected=expected, backs_up=backs_up)
            self._marks[path] = project.mark
            return project
