"""Whether a score for the words of the open song is on its way, so that nobody asks for the same twice."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.runtime.orders import asked_by
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.pending import Pending
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.session import SongSession

#: One that was put aside is nobody's hindrance: it goes on when the user wants it to.
_STANDINGS = {
    JobState.WAITING: Pending.WAITS,
    JobState.INTERRUPTED: Pending.WAITS,
    JobState.RUNNING: Pending.RUNS,
}


def pending_score(jobs: Iterable[Job], document: SongDocument) -> Pending:
    """How near the nearest score for exactly these words is; other words may be asked for at any time."""
    scores = (job for job in jobs if job.part is JobPart.SCORE and job.song == document.id and job.state in _STANDINGS)
    ours = (_STANDINGS[job.state] for job in scores if asked_by(job.order) == document.asked)
    return max(ours, default=Pending.NO)


class PendingScore(QObject):
    """Follows the open song and the queue; `changed` carries a `Pending`."""

    changed = Signal(object)

    def __init__(self, session: SongSession, rendering: Rendering, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rendering = rendering
        self.now = Pending.NO
        session.changed.connect(self._look)
        rendering.jobs_changed.connect(self._look)

    @Slot(object)
    def _look(self, _changed: object) -> None:
        found = pending_score(self._rendering.jobs(), self._session.document)
        if found is not self.now:
            self.now = found
            self.changed.emit(found)
