"""Python's cycles are collected in the window's thread only: Qt's objects must not be destroyed in another one."""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

#: Between two looks; what piles up in it is collected in a few milliseconds.
_EVERY_MS: Final = 250


class GarbageInWindow(QObject):
    """While it lives, nothing is collected by itself: a worker's allocation could be what ends a widget or a timer.

    `let_go` gives the collection back to Python.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        # What is there at the start stays, and need not be looked through again.
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    @Slot()
    def keep(self) -> None:
        """What has come by now stays, too: for a whole window a look through all of it takes 20 to 50 ms."""
        gc.freeze()

    @Slot()
    def collect(self) -> None:
        """Collects the generations that are due, as Python itself would."""
        for generation, (count, threshold) in reversed(
            tuple(enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)))
        ):
            if count > threshold > 0:
                gc.collect(generation)
                return

    def let_go(self) -> None:
        """Stops; Python collects by itself again."""
        self._timer.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()
