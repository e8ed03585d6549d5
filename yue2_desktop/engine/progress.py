"""What a running stage tells the outside, and how it is told to stop."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind


class Stage(StrEnum):
    """The parts of a render, in order."""

    SCORE = "score"
    SEMANTIC = "semantic"
    ACOUSTIC = "acoustic"
    DECODE = "decode"


@dataclass(frozen=True)
class Progress:
    """How far a stage is: `done` of at most `total` in `unit`; `rate` in units a second; `remaining_s` in seconds.

    `rate` and `remaining_s` are None until they are known. Token stages may end before `total`.
    """

    stage: Stage
    done: int
    total: int
    unit: str
    rate: float | None = None
    remaining_s: float | None = None


OnProgress = Callable[[Progress], None]
#: What a rate is taken over: so many seconds, and so many reports at least.
_SPAN_S: Final = 20.0
_LEAST_MARKS: Final = 4


def silent(_progress: Progress) -> None:
    """Progress that nobody watches."""


class CancelToken:
    """Set from any thread; the work polls it between tokens, layers, evaluations and tiles."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raises Problem(CANCELLED) once `cancel` was called."""
        if self._event.is_set():
            raise Problem(ProblemKind.CANCELLED, "Cancelled. What was finished is kept.")


class ProgressReporter:
    """Turns counts into `Progress` events with a rate, at most about ten a second plus the first and the last.

    The rate is that of the last `_SPAN_S` seconds, or of the last few counts where those are slower: a laptop that
    slept, or whose fan came on, is told of as it is now.
    """

    def __init__(
        self,
        stage: Stage,
        total: int,
        unit: str,
        emit: OnProgress,
        *,
        clock: Callable[[], float] = time.monotonic,
        already: int = 0,
    ) -> None:
        self._stage = stage
        self._total = total
        self._unit = unit
        self._emit = emit
        self._clock = clock
        self._marks = deque([(clock(), already)])
        self._last_emitted = float("-inf")
        self._emit(Progress(stage, already, total, unit))

    def at(self, done: int, *, last: bool = False) -> None:
        """Reports `done` units; `last` makes sure that this one is sent."""
        now = self._clock()
        if not (last or done >= self._total or now - self._last_emitted >= 0.1):
            return
        self._last_emitted = now
        self._marks.append((now, done))
        while len(self._marks) > _LEAST_MARKS and self._marks[1][0] <= now - _SPAN_S:
            self._marks.popleft()
        began, before = self._marks[0]
        elapsed, made = now - began, done - before
        rate = made / elapsed if made > 0 and elapsed > 0 else None
        remaining = (self._total - done) / rate if rate else None
        self._emit(Progress(self._stage, done, self._total, self._unit, rate, 0.0 if last else remaining))
