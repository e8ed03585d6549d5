"""How far the running job is, as the engine tells it, and for how long nothing has been heard of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.plan.patience import patience
from yue2_desktop.queue.job import Job, JobStanding
from yue2_desktop.ui.throttle import Throttle

#: Steps are shown no more often than this, in milliseconds.
_PACE_MS: Final = 50
_SECOND_MS: Final = 1000
#: That nothing moves is only stated, so it is said sooner than the engine calls for the user.
_LEAST_S: Final = 30.0
#: The figure changes no more often than that, in seconds: it is to be read, not to be watched.
_GRAIN_S: Final = 10
#: A job of which nothing was told yet.
_BEGINNING: Final = JobStanding("", 0, 0, "")


class Standings(QObject):
    """Follows one job at a time. `changed` says that it stands otherwise than before.

    Seconds are counted while the machine is awake: after a sleep nobody is told that nothing moved all night.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: int | None = None
        self._standing: JobStanding | None = None
        self._patience_s = 0.0
        self._silent_s = 0
        self._steps = Throttle(_PACE_MS, self)
        self._steps.due.connect(self.changed)
        self._seconds = QTimer(self, interval=_SECOND_MS)
        self._seconds.timeout.connect(self.count_second)

    def begin(self, job: int) -> None:
        """A job is given to the engine."""
        self._job, self._standing = job, None
        self._listen(None)
        self._seconds.start()

    @Slot(int, object)
    def move(self, job: int, standing: JobStanding) -> None:
        """The job has come so far."""
        if job == self._job:
            self._standing = standing
            self._listen(standing.rate)
            self._steps.ask()

    @Slot(int)
    def end_stage(self, job: int) -> None:
        """The job is between two stages; how long the next one takes to begin, nobody knows."""
        if job == self._job:
            self._listen(None)

    def end(self) -> None:
        """No job runs."""
        self._job = self._standing = None
        self._seconds.stop()
        self._steps.stop()

    def shown(self, jobs: Sequence[Job]) -> tuple[Job, ...]:
        """The jobs, the running one with how far it is; while nothing moves, without a time that it would take."""
        return tuple(job if job.id != self._job else replace(job, standing=self._now()) for job in jobs)

    def _now(self) -> JobStanding | None:
        if not self._is_still:
            return self._standing
        still_s = self._silent_s // _GRAIN_S * _GRAIN_S
        return replace(self._standing or _BEGINNING, rate=None, remaining_s=None, still_s=still_s)

    @property
    def _is_still(self) -> bool:
        return self._silent_s >= self._patience_s

    def _listen(self, rate: float | None) -> None:
        self._silent_s, self._patience_s = 0, patience(rate, least_s=_LEAST_S)

    @Slot()
    def count_second(self) -> None:
        """One more second without a word of the engine."""
        before = self._now()
        self._silent_s += 1
        if self._now() != before:
            self.changed.emit()
