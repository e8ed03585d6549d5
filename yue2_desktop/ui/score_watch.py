"""A score can be read while its tokens are sung: it is looked for as soon as a render goes on to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.song_plans import written_score

#: While these run the score is on the disk.
_BEHIND: Final = frozenset({"semantic", "acoustic", "decode"})


class ScoreWatch(QObject):
    """Takes the score of a running take into the song where the song has none; `found` says that there is one.

    A song that has a score keeps it, edited or not: the new one is among its plans.
    """

    found = Signal()

    def __init__(self, session: SongSession, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._background = background
        self._seen: set[int] = set()

    @Slot(object)
    def look(self, jobs: tuple[Job, ...]) -> None:
        """The jobs as they stand."""
        for job in jobs:
            if job.id not in self._seen and _sings(job):
                self._seen.add(job.id)
                work: Callable[[], PlannedScore | None] = partial(written_score, Path(job.folder))
                # A plan that cannot be read is told when the take ends.
                self._background.run(work, partial(self._take, job), _nothing)

    def _take(self, job: Job, plan: PlannedScore | None) -> None:
        if plan is None:
            return
        document = self._session.document
        if document.id == job.song and document.score is None and document.asked == plan.asked:
            step = self.tr("Score of take {number}").format(number=job.take)
            self._session.apply(step, document.with_plan(plan))
        self.found.emit()


def _sings(job: Job) -> bool:
    standing = job.standing
    return (
        job.state is JobState.RUNNING
        and job.part is JobPart.TAKE
        and standing is not None
        and standing.stage in _BEHIND
    )


def _nothing(_problem: Problem) -> None:
    return None
