"""What is typed is never lost: snapshots of the open song, written beside the window a moment after each change."""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.owner_lock import OwnerLock
from yue2_desktop.song.recovery import Found, Recovery, Snapshot, seconds_until_due
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession


class Autosave(QObject):
    """Keeps the session's snapshot. `found` carries snapshots that no window holds; `failed` a sentence, once."""

    found = Signal(object)
    failed = Signal(str)

    def __init__(
        self, session: SongSession, recovery: Recovery, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._recovery = recovery
        self._background = background
        self._lock: OwnerLock | None = None
        self._held = ""
        self._first_change: float | None = None
        self._has_failed = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.write_now)
        session.changed.connect(self._changed)
        session.saved_changed.connect(self._saved)
        session.document_loaded.connect(self._loaded)
        self._document_id = session.document.id

    def look_for_lost_songs(self) -> None:
        """Looks beside the window; `found` comes if there is anything."""
        self._background.run(self._recovery.left_behind, self._tell_found, self._tell_problem)

    def discard(self, document_id: str) -> None:
        """Removes the snapshot of this window: the user saved the song or let it go."""
        self._background.run(partial(self._recovery.discard, document_id))

    def adopt(self, snapshot: Snapshot) -> None:
        """A snapshot of `found` was brought back; it goes when the song is saved, as this window's own do."""
        self._background.run(partial(self._recovery.adopt, snapshot), failed=self._tell_problem)

    @Slot()
    def write_now(self) -> None:
        """Writes the snapshot of what is open, if it has anything that would be lost."""
        self._timer.stop()
        self._first_change = None
        if not self._session.is_modified:
            return
        snapshot = Snapshot(self._session.document, self._session.path, self._session.mark)
        self._background.run(partial(self._write, snapshot), self._tell_written, self._tell_problem)

    def finish(self, *, keep: bool) -> None:
        """The window closes. `keep` leaves the snapshot for the next start; otherwise the user let it go."""
        self._timer.stop()
        if keep:
            self.write_now()
        self._background.close()
        if not keep:
            self._recovery.discard(self._document_id)
        self._let_go()

    @Slot(object)
    def _changed(self, document: SongDocument) -> None:
        if not self._session.is_modified:
            return
        now = time.monotonic()
        if self._first_change is None:
            self._first_change = now
        self._timer.start(round(1000 * seconds_until_due(now, self._first_change, now)))

    @Slot()
    def _saved(self) -> None:
        if not self._session.is_modified:
            self._timer.stop()
            self._first_change = None
            self.discard(self._document_id)

    @Slot()
    def _loaded(self) -> None:
        """Another song is open: the user saved the last one or let it go."""
        if self._session.document.id != self._document_id:
            self.discard(self._document_id)
            self._background.run(self._let_go)
            self._document_id = self._session.document.id

    def _write(self, snapshot: Snapshot) -> None:
        """On the thread beside the window: one task at a time, so the lock is used by one thread."""
        if self._held != snapshot.document.id:
            self._let_go()
            self._lock = self._recovery.hold(snapshot.document.id)
            self._held = snapshot.document.id
        self._recovery.write(snapshot)

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()
        self._lock, self._held = None, ""

    def _tell_found(self, found: Found) -> None:
        if found.snapshots or found.damaged:
            self.found.emit(found)

    def _tell_written(self, _: object) -> None:
        self._has_failed = False

    def _tell_problem(self, problem: Problem) -> None:
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(problem.sentence)
