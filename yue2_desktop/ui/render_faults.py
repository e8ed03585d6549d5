"""What became of renders that did not end well, told in the window with a way on, and taken back when it is past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Slot

from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.fault_words import BREAKS
from yue2_desktop.ui.notice_queue import Notice
from yue2_desktop.ui.rendering import Rendering


@dataclass
class _Told:
    """A notice that may be in view, and the jobs that it is about; the same sentence is told once for all of them.

    `is_refused` says that the planner, too, has found that it does not fit.
    """

    is_failure: bool
    jobs: dict[int, Job] = field(default_factory=dict)
    is_refused: bool = False


class RenderFaults(QObject):
    """Belongs to one desk. A notice goes when none of its jobs is as it tells any more."""

    def __init__(self, desk: Desk, rendering: Rendering, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._rendering = rendering
        self._told: dict[str, _Told] = {}
        rendering.failed.connect(self._tell_failure)
        rendering.goes_on.connect(self._tell_going_on)
        rendering.jobs_changed.connect(self._look)
        desk.planner.planned.connect(self._planned)  # after the desk itself: the fit line has the new plan

    @Slot(int)
    def retry(self, job: int) -> None:
        """The user wants a job again; one that was refused for not fitting as “Run anyway” is ticked now."""
        self._rendering.retry(job, run_anyway=self._desk.window.fit_line.runs_anyway)

    @Slot(object, str)
    def _tell_failure(self, job: Job, sentence: str) -> None:
        told = self._keep(job, sentence, is_failure=True)
        told.is_refused = self._desk.window.fit_line.fits is False
        if job.problem_kind in BREAKS:
            again = partial(self.retry, job.id)
            self._desk.window.notices.tell(Notice(sentence, sentence, "bad", self.tr("Go on"), again))
        else:
            self._desk.complain(sentence)

    @Slot(object, str)
    def _tell_going_on(self, job: Job, sentence: str) -> None:
        self._keep(job, sentence, is_failure=False)
        self._desk.tell(sentence, sentence, "doubtful")

    def _keep(self, job: Job, sentence: str, *, is_failure: bool) -> _Told:
        told = self._told.setdefault(sentence, _Told(is_failure))
        told.jobs[job.id] = job
        return told

    @Slot(object)
    def _look(self, jobs: Sequence[Job]) -> None:
        if not self._told:  # this comes at every step of a render
            return
        now = {job.id: job.state for job in jobs}
        for sentence, told in list(self._told.items()):
            if not any(_holds(now.get(job), is_failure=told.is_failure) for job in told.jobs):
                self._take_back(sentence)

    @Slot()
    def _planned(self) -> None:
        """Where the open song fits again, and did not, what was refused may be tried again without a second thought."""
        fits = self._desk.window.fit_line.fits
        if fits is None:
            return
        for sentence, told in list(self._told.items()):
            ours = all(job.song == self._desk.session.document.id for job in told.jobs.values())
            refusals = all(job.problem_kind == ProblemKind.DOES_NOT_FIT for job in told.jobs.values())
            if ours and refusals and fits and told.is_refused:
                self._take_back(sentence)
            elif ours and not fits:
                told.is_refused = True

    def _take_back(self, sentence: str) -> None:
        del self._told[sentence]
        self._desk.window.notices.withdraw(sentence)


def _holds(state: JobState | None, *, is_failure: bool) -> bool:
    """Whether what was told of a job is still so; None is one that was removed."""
    if is_failure:
        return state is JobState.FAILED
    return state in {JobState.WAITING, JobState.RUNNING, JobState.PAUSED}
