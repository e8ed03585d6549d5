"""What a take in the making reports, said to the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from yue2_desktop.cli.report import StageEnd
from yue2_desktop.cli.summary import Summary
from yue2_desktop.engine.messages import Event, Noted, PlanTaken, Progressed, StageDone
from yue2_desktop.engine.progress import Progress, Stage
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.request import SongRequest

#: While a job looks at its model and is planned, before the first stage.
OPENING: Final = "opening"
#: More often than this nobody sees it.
_EVERY_S: Final = 0.05

_NAMES: Final = {
    TakeStage.PLAN: Stage.SCORE,
    TakeStage.SEMANTIC: Stage.SEMANTIC,
    TakeStage.LATENTS: Stage.ACOUSTIC,
    TakeStage.AUDIO: Stage.DECODE,
}


class EventReport:
    """The report of one job. Stages have one set of names on the line: opening, score, semantic, acoustic, decode."""

    def __init__(self, job: int, say: Callable[[Event], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._job = job
        self._say = say
        self._clock = clock
        self._last: tuple[str, str] | None = None
        self._when = 0.0

    def opens(self) -> None:
        """The job is taken up; its model is opened next."""
        self._say(Progressed(self._job, OPENING, 0, 0, ""))

    def note(self, sentence: str) -> None:
        """Something to tell the user."""
        self._say(Noted("warning", sentence))

    def starts(self, folder: Path | None, request: SongRequest, device: str, dtype: str) -> None:  # noqa: ARG002
        """For the log: where it computes."""
        self._say(Noted("info", f"job {self._job} begins on {device} in {dtype}"))

    def follows(self, plan: str) -> None:
        """The plan that is really taken, which may be another one than the window saw when it queued the job."""
        if plan:
            self._say(PlanTaken(self._job, plan))

    def begins(self, stage: TakeStage) -> None:
        """A stage begins; how much it is comes with its first progress."""
        self._say(Progressed(self._job, _NAMES[stage].value, 0, 0, ""))

    def progress(self, progress: Progress) -> None:
        """As far as anybody can see it: at most twenty times a second, and the end of each count."""
        now, kind = self._clock(), (progress.stage.value, progress.unit)
        if kind == self._last and progress.done < progress.total and now - self._when < _EVERY_S:
            return
        self._last, self._when = kind, now
        self._say(
            Progressed(
                self._job,
                progress.stage.value,
                progress.done,
                progress.total,
                progress.unit,
                progress.rate,
                progress.remaining_s,
            )
        )

    def ends(self, end: StageEnd) -> None:
        """A stage is on the disk."""
        self._say(StageDone(self._job, _NAMES[end.stage].value, end.seconds))

    def finishes(self, summary: Summary) -> None:
        """Nothing: the host says what came of the job."""

    def fails(self, problem: Problem, kept: str | None) -> None:
        """Nothing: the host says it."""
