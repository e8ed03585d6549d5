"""How long the window waits for a thread that works beside it."""

from __future__ import annotations

import sys
from typing import Final

#: Python lets a thread go on for 5 ms before another one has its turn, unless it is told otherwise. Painting, typing
#: and sound each take many turns, and would wait as many times: measured while a score of 104 bars is edited, the
#: longest gap of the event loop was 64 ms, and 42 ms with this (packaging/window_stalls.py). What works beside the
#: window is hardly slower for it.
TURN_S: Final = 0.001


def take_short_turns() -> None:
    """For the whole process, once."""
    sys.setswitchinterval(TURN_S)
