"""The engine's memory when nobody renders: given back after some minutes, without being asked."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.runtime.engine_process import EngineState

#: After so long without a job others may have the memory; the next job reads the weights again.
IDLE_MS: Final = 10 * 60 * 1000


class IdleMemory(QObject):
    """`due` says once for each time of rest that it has lasted for `idle_ms` (user-reports.md, row 26)."""

    due = Signal()

    def __init__(self, parent: QObject | None = None, *, idle_ms: int = IDLE_MS) -> None:
        super().__init__(parent)
        self._has_worked = False
        self._timer = QTimer(self, singleShot=True, interval=idle_ms)
        self._timer.timeout.connect(self._rested)

    @Slot(object)
    def follow(self, state: EngineState) -> None:
        """The engine's state has changed. One that has not worked yet holds nothing."""
        if state is EngineState.READY:
            if self._has_worked:
                self._timer.start()
            return
        self._timer.stop()
        self._has_worked = state in {EngineState.BUSY, EngineState.STOPPING}

    @Slot()
    def _rested(self) -> None:
        self._has_worked = False
        self.due.emit()
