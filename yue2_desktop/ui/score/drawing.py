"""Draws scores off the window's thread: the newest text and width count, what is out of date is given up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.score.parser import Parsed
from yue2_desktop.ui.latest import Latest
from yue2_desktop.ui.score.parts import Drawn, draw

#: How long after reading, in milliseconds; 400 after the last key, since reading waits for 250.
PAUSE_MS: Final = 150


@dataclass(frozen=True)
class _Order:
    """What is to be drawn."""

    parsed: Parsed
    width: float
    ink: str


class Drawing(QObject):
    """`drawn` has the text that was read and its pages; `failed` a sentence."""

    drawn = Signal(object, object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: _Order | None = None
        self._made: tuple[_Order, Drawn] | None = None
        self._latest = Latest(self)
        self._latest.arrived.connect(self._take)
        self._latest.failed.connect(self.failed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.begin)

    def ask(self, parsed: Parsed, width: float, ink: str, *, at_once: bool = False) -> None:
        """Draw a score at a width in millimetres after a pause, or at once."""
        order = _Order(parsed, width, ink)
        if self._wanted is not None and self._wanted.parsed is parsed and self._wanted == order:
            return
        self._wanted = order
        if at_once:
            self.begin()
        else:
            self._pause.start()

    @property
    def is_busy(self) -> bool:
        """Whether something is being drawn."""
        return self._latest.is_busy

    def hold(self) -> None:
        """Draws nothing until `release`: the window has more urgent things to do."""
        self._latest.hold()

    def release(self) -> None:
        """Draws what was asked for meanwhile."""
        self._latest.release()

    def forget(self) -> None:
        """Nothing is to be drawn any more."""
        self._wanted = None
        self._pause.stop()
        self._latest.forget()

    def stop(self) -> None:
        """No more of this, before the window goes."""
        self.forget()
        self._latest.stop()

    @Slot()
    def begin(self) -> None:
        """Draw what is wanted now."""
        self._pause.stop()
        order = self._wanted
        if order is None:
            return
        before = self._made[1] if self._made is not None else None

        def call() -> object:
            made = draw(order.parsed.score, order.width, order.ink, before, lambda: self._wanted is order)
            return None if made is None else (order, made)

        self._latest.ask(call)

    @Slot(object)
    def _take(self, made: tuple[_Order, Drawn] | None) -> None:
        if made is not None:
            self._made = made
            self.drawn.emit(made[0].parsed, made[1])
