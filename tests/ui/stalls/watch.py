"""Says what a thread does while a meter in it has not ticked for long; a debugger's look, for `--stacks`."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.ui.stalls.meter import Meter

#: From here on it is said.
_TELL_S: Final = 0.045
_FRAMES: Final = 6


@contextmanager
def telling_stacks(meter: Meter) -> Iterator[None]:
    """Meanwhile the stack of this thread is printed on stderr, once in each long gap."""
    over = threading.Event()
    watching = threading.Thread(target=_watch, args=(meter, threading.get_ident(), over), daemon=True)
    watching.start()
    yield
    over.set()
    watching.join()


def _watch(meter: Meter, thread: int, over: threading.Event) -> None:
    told = meter.last
    while not over.wait(0.005):
        last = meter.last
        if last is not told and time.perf_counter() - last.wall > _TELL_S:
            told = last
            stack = traceback.format_stack(sys._current_frames()[thread])
            print("".join(stack[-_FRAMES:]), "-" * 60, file=sys.stderr)
