"""The song that is open: one document, one undo history over all of it, and how it stands to its file."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from yue2_desktop.song.document import SongDocument, changed_fields
from yue2_desktop.song.project_file import Project
from yue2_desktop.song.seeds import SeedPolicy

#: A pause in typing after which a new undo step begins, in seconds.
MERGE_PAUSE_S: Final = 1.0
_UNDO_LIMIT: Final = 1000


class SongSession(QObject):
    """The open song. `changed` carries the new document; `saved_changed` says that the star or the path changed.

    `document_loaded` says that another song took the place of the one that was open.
    """

    changed = Signal(object)
    saved_changed = Signal()
    document_loaded = Signal()

    def __init__(self, parent: QObject | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._document = SongDocument()
        self._saved: SongDocument | None = self._document
        self._path: Path | None = None
        self._mark = ""
        self._moved: SeedPolicy | None = None
        self._clock = clock
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(_UNDO_LIMIT)

    @property
    def document(self) -> SongDocument:
        """The song as it is now."""
        return self._document

    @property
    def undo_stack(self) -> QUndoStack:
        """The one history of the song; its steps carry the text for the menu."""
        return self._stack

    @property
    def path(self) -> Path | None:
        """The song's file, None before it was saved."""
        return self._path

    @property
    def mark(self) -> str:
        """The content of the file as it was last read or written, for `save_project`'s `expected`."""
        return self._mark

    @property
    def is_modified(self) -> bool:
        """Whether the song has what its file (or its beginning) has not.

        In a song with a file, a seed that only moved on because takes were queued is nothing to ask about.
        """
        if self._saved is None:
            return True
        as_saved = replace(self._document, seed=self._saved.seed) if self.has_moved_seed else self._document
        return as_saved != self._saved

    @property
    def has_moved_seed(self) -> bool:
        """Whether the seed moved on by itself since the song's file was read or written."""
        saved = self._saved
        return saved is not None and self._path is not None and saved.seed != self._document.seed == self._moved

    def apply(self, text: str, new: SongDocument, merge: str | None = None) -> None:
        """One undo step to `new`, called `text` in the menu; nothing where nothing changes.

        Steps with the same `merge` become one while no longer pause than MERGE_PAUSE_S lies between them.
        """
        names = changed_fields(self._document, new)
        if not names:
            return
        before = {name: getattr(self._document, name) for name in names}
        after = {name: getattr(new, name) for name in names}
        self._stack.push(_Edit(text, before, after, self._put, merge, self._clock()))

    def amend(self, new: SongDocument) -> None:
        """A change that is no edit and has no undo step: the seed that moves on when takes are queued."""
        names = changed_fields(self._document, new)
        if "seed" in names and not self.is_modified:
            self._moved = new.seed
        if names:
            self._put({name: getattr(new, name) for name in names})

    def load(self, document: SongDocument, path: Path | None = None, *, mark: str = "", is_saved: bool = True) -> None:
        """Another song takes the place of this one; its history begins anew.

        `is_saved` False is for a song that was brought back after a crash: it has what no file has.
        """
        self._document = document
        self._saved = document if is_saved else None
        self._path, self._mark, self._moved = path, mark, None
        self._stack.clear()
        self.document_loaded.emit()
        self.changed.emit(document)
        self.saved_changed.emit()

    def mark_saved(self, project: Project) -> None:
        """The song was written to its file; what was typed meanwhile is still to be saved."""
        self._saved, self._path, self._mark, self._moved = project.document, project.path, project.mark, None
        self.saved_changed.emit()

    def _put(self, values: Mapping[str, Any]) -> None:
        was_modified = self.is_modified
        self._document = replace(self._document, **values)
        self.changed.emit(self._document)
        if self.is_modified != was_modified:
            self.saved_changed.emit()


class _Edit(QUndoCommand):
    """The fields that an edit changed, and no others, so that an amendment in between outlives an undo."""

    def __init__(
        self,
        text: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        put: Callable[[Mapping[str, Any]], None],
        merge: str | None,
        when: float,
    ) -> None:
        super().__init__(text)
        self.before, self.after, self._put = before, after, put
        self.key, self.when = merge, when

    def redo(self) -> None:
        self._put(self.after)

    def undo(self) -> None:
        self._put(self.before)

    def id(self) -> int:
        # Qt offers only steps with the same number for merging; -1 is never offered.
        return -1 if self.key is None else zlib.crc32(self.key.encode("utf-8")) & 0x7FFF_FFFF

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other.key != self.key or other.before.keys() != self.before.keys():
            return False
        if other.when - self.when > MERGE_PAUSE_S:
            return False
        self.after, self.when = other.after, other.when
        self.setObsolete(self.after == self.before)
        return True
