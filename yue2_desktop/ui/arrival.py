"""What comes once the window is painted: one step a turn of the event loop, and nothing pressed meanwhile is lost."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from yue2_desktop.ui.window import MainWindow

_log = logging.getLogger(__name__)
#: A window that is minimised or covered may never be painted; what follows begins all the same.
_LATEST_MS: Final = 2000


class FirstPaint(QObject):
    """`painted` comes once, when `window` and all that is in it was painted for the first time."""

    painted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._latest = QTimer(self, singleShot=True, interval=_LATEST_MS)
        self._latest.timeout.connect(self._over)
        self._latest.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's own."""
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            self._latest.start(0)  # what lies in the window is painted in this turn of the event loop
        return False

    @Slot()
    def _over(self) -> None:
        self._window.removeEventFilter(self)
        self.painted.emit()


class Arrival(QObject):
    """Does `steps` one by one, each in a turn of its own, so that the window answers in between.

    One that raises takes the others not with it: it is logged, `failed` carries what it raised, and the next is done.
    """

    arrived = Signal()
    failed = Signal(object)

    def __init__(self, steps: Iterable[Callable[[], None]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = deque(steps)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    @property
    def is_over(self) -> bool:
        """Whether there is no step left."""
        return not self._steps

    @Slot()
    def begin(self) -> None:
        """Begins with the next turn of the event loop."""
        self._timer.start()

    def do_all(self) -> None:
        """Does all steps now. What one of them raises is the caller's."""
        while self._steps:
            self._steps.popleft()()
        self._end()

    def stop(self) -> None:
        """The window goes; the steps that are left are not done."""
        self._timer.stop()
        self._steps.clear()

    @Slot()
    def _step(self) -> None:
        if self._steps:
            try:
                self._steps.popleft()()
            except Exception as error:  # noqa: BLE001 - a window without one of its parts is better than a half of it
                _log.exception("a part of the window cannot be made")
                self.failed.emit(error)
        if not self._steps:
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        self.arrived.emit()


class PressedEarly(QObject):
    """Renders that are asked for before there is anybody to make them; `give_back` asks for the last one again."""

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = window.top_bar
        self._actions = [window.actions_of_window[name] for name in ("render", "write_score")]
        self._again: Callable[[], None] | None = None
        for action in self._actions:
            action.triggered.connect(self._press_action)
        self._bar.primary_pressed.connect(self._press_primary)

    @Slot()
    def give_back(self) -> None:
        """From now on somebody listens. Only the last wish is carried out: who presses twice waits for one thing."""
        for action in self._actions:
            action.triggered.disconnect(self._press_action)
        self._bar.primary_pressed.disconnect(self._press_primary)
        again, self._again = self._again, None
        if again is not None:
            again()

    @Slot()
    def _press_action(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        self._again = action.trigger

    @Slot(str)
    def _press_primary(self, kind: str) -> None:
        self._again = partial(self._bar.primary_pressed.emit, kind)
