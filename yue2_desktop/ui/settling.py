"""Work beside a window that has just come: one piece after another, so that not all of it asks for Python at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

_LOOK_MS: Final = 15
#: A piece that takes longer no longer keeps the others waiting.
_PATIENCE_S: Final = 3.0


@dataclass(frozen=True)
class Piece:
    """Work that `begin` begins in a thread of its own, and whether it is still going on."""

    begin: Callable[[], None]
    is_busy: Callable[[], bool]


class Settling(QObject):
    """Begins each piece when the one before is done; `settled` says that the last one is.

    Eight threads at once would leave the window a ninth of Python.
    """

    settled = Signal()

    def __init__(self, pieces: Iterable[Piece], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pieces = deque(pieces)
        self._begun: Piece | None = None
        self._latest = 0.0
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @Slot()
    def begin(self) -> None:
        """Begins the first now."""
        self._timer.start()
        self._look()

    def stop(self) -> None:
        """The window goes; what was not begun is not done."""
        self._timer.stop()
        self._pieces.clear()

    @Slot()
    def _look(self) -> None:
        if self._begun is not None and self._begun.is_busy() and time.monotonic() < self._latest:
            return
        if not self._pieces:
            self._timer.stop()
            self.settled.emit()
            return
        self._begun = self._pieces.popleft()
        self._latest = time.monotonic() + _PATIENCE_S
        self._begun.begin()
