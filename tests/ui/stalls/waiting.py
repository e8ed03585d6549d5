"""Waits as people do: by letting the window answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEventLoop, QTimer

_PATIENCE_S: Final = 300.0
_LOOK_MS: Final = 5


def wait(seconds: float) -> None:
    """Lets the window answer for so long."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def until(is_so: Callable[[], bool]) -> None:
    """Lets the window answer until something is so."""
    end = time.monotonic() + _PATIENCE_S
    loop = QEventLoop()
    timer = QTimer(loop, interval=_LOOK_MS)
    timer.timeout.connect(lambda: loop.quit() if is_so() or time.monotonic() > end else None)
    timer.start()
    if not is_so():
        loop.exec()
    timer.stop()
    if not is_so():
        raise TimeoutError(f"the window did not come to {is_so.__qualname__}")
