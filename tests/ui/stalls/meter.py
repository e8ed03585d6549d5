"""How long an event loop is away: the longest gap of a 10 ms timer in its thread, and what went into it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

TICK_MS: Final = 10


@dataclass(frozen=True)
class Reading:
    """Clocks of one thread at one time, in seconds: the wall's, what it worked, how long it waited for a core."""

    wall: float
    worked: float
    waited: float


@dataclass(frozen=True)
class Longest:
    """The longest gap between two ticks and, of that one, the wait for a core; the most work between any two. Seconds.

    What of a gap is neither is waiting for something: another thread of Python, a lock, a file, `sleep`.
    """

    gap: float = 0.0
    waited: float = 0.0
    busiest: float = 0.0

    def and_then(self, before: Reading, now: Reading) -> Longest:
        """With one more tick."""
        gap, waited = now.wall - before.wall, now.waited - before.waited
        busiest = max(self.busiest, now.worked - before.worked)
        return Longest(gap, waited, busiest) if gap > self.gap else Longest(self.gap, self.waited, busiest)


class Meter(QObject):
    """Watches the event loop of the thread in which it is made, until `stop`; `read` is for tests of itself."""

    def __init__(self, read: Callable[[], Reading] | None = None) -> None:
        super().__init__()
        self.longest = Longest()
        self._read = read or reading_here()
        self.last = self._read()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forgets what was."""
        self.longest, self.last = Longest(), self._read()

    def stop(self) -> None:
        """Ends, with the gap that is open."""
        self._timer.stop()
        self._tick()

    @Slot()
    def _tick(self) -> None:
        now = self._read()
        self.longest, self.last = self.longest.and_then(self.last, now), now


def reading_here() -> Callable[[], Reading]:
    """What reads the clocks of the thread that asks for it; nobody is known to wait where the system does not say."""
    waits = _waits_of(threading.get_native_id())
    return lambda: Reading(time.perf_counter(), time.thread_time(), waits())


def _waits_of(thread: int) -> Callable[[], float]:
    # Linux counts how long a thread could have worked and no core was free: nanoseconds, the second of three numbers.
    counted = Path(f"/proc/self/task/{thread}/schedstat")
    if sys.platform != "linux" or not counted.is_file():
        return lambda: 0.0
    return lambda: int(counted.read_bytes().split()[1]) * 1e-9
