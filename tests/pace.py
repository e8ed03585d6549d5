"""How fast the machine is now: promises in seconds are for an idle machine of two cores, and tests run anywhere."""

from __future__ import annotations

import time

#: What the piece of work below takes on that machine, idle, in seconds.
_IDLE_S = 0.017
_ROUNDS = 5


def pace() -> float:
    """How many times as long as there a piece of work takes here and now; 1 at least.

    By the wall clock, and the slowest of some rounds: what other processes take away counts.
    """
    return max(1.0, max(_seconds() for _ in range(_ROUNDS)) / _IDLE_S)


def _seconds() -> float:
    start = time.perf_counter()
    sum(number * number for number in range(400_000))
    return time.perf_counter() - start
