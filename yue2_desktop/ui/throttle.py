"""What is told far more often than anybody can see is passed on in a steady pace: the last of it always."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class Throttle(QObject):
    """`due` comes at once when nothing was asked for lately, and else no sooner than `pace_ms` after the last time."""

    due = Signal()

    def __init__(self, pace_ms: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_asked = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(pace_ms)
        self._pause.timeout.connect(self._over)

    def ask(self) -> None:
        """There is something to tell."""
        if self._pause.isActive():
            self._is_asked = True
            return
        self._pause.start()
        self.due.emit()

    def stop(self) -> None:
        """Nothing is told any more."""
        self._is_asked = False
        self._pause.stop()

    def _over(self) -> None:
        if self._is_asked:
            self._is_asked = False
            self.ask()
