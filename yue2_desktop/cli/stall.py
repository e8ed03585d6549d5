"""Whether a stage has stopped moving: said once, with what can be done; nobody is left waiting for good.

A card whose memory has spilled into the machine's, or a decoder that hangs, gives no error and no end (user-reports.md,
rows 10 and 11). Python cannot interrupt an operator that computes, but another thread can tell the user, who can stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from yue2_desktop.cli.durations import about, spent
from yue2_desktop.engine.progress import OnProgress, Progress
from yue2_desktop.plan.patience import STANDSTILL, patience

_EVERY_S: Final = 1.0


@dataclass(frozen=True)
class Pulse:
    """The last sign of life of a stage: its progress, and when that came (seconds of a steady clock)."""

    progress: Progress
    at: float


def stalled(pulse: Pulse, now: float) -> str | None:
    """The sentence for a stage that should have moved by now; None for one that may still be at it."""
    waited = now - pulse.at
    if waited < patience(pulse.progress.rate):
        return None
    done = pulse.progress
    usual = f", where one takes {spent(1 / done.rate)} usually" if done.rate else ""
    return (
        f"{STANDSTILL} {about(waited)}: {done.done:,} of {done.total:,} {done.unit}{usual}. The card's memory may "
        "be full, or another program takes the machine. If you stop, what is finished is kept, and the rest can be "
        "made later."
    )


class StallWatch:
    """Around a stage: `through` passes its progress on, and `say` is told from another thread when none comes.

    It speaks once for each standstill.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        every_s: float = _EVERY_S,
    ) -> None:
        self._say = say
        self._clock = clock
        self._every_s = every_s
        self._pulse: Pulse | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stall-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def through(self, listener: OnProgress) -> OnProgress:
        """What the stage reports to, in the place of `listener`."""

        def report(progress: Progress) -> None:
            self._pulse = Pulse(progress, self._clock())
            listener(progress)

        return report

    def _watch(self) -> None:
        told: Pulse | None = None
        while not self._done.wait(self._every_s):
            pulse = self._pulse
            if pulse is None or pulse is told:
                continue
            sentence = stalled(pulse, self._clock())
            if sentence is not None:
                told = pulse
                with suppress(OSError):  # nobody reads any more, which ends the work by itself
                    self._say(sentence)
