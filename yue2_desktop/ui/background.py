"""Work beside the window: callables on a thread, one after another, whose results come back to the window's thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from yue2_desktop.song.errors import Problem

_log = logging.getLogger(__name__)
_PATIENCE_MS: Final = 10_000


class Background(QObject):
    """One thread of work. `then` and `failed` of `run` are called in the window's thread.

    What fails otherwise than with a Problem is a fault of the program: it is logged whole and told by `faulted`.
    """

    faulted = Signal(str)
    _done = Signal(int, object)
    _failed = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pool.setExpiryTimeout(-1)  # always the same thread, as a database wants it
        self._waiting: dict[int, tuple[Callable[[Any], None] | None, Callable[[Problem], None] | None]] = {}
        self._number = 0
        self._is_closed = False
        self._done.connect(self._heard)
        self._failed.connect(self._heard_failure)

    def run(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None] | None = None,
        failed: Callable[[Problem], None] | None = None,
    ) -> None:
        """Queues `work`; its value goes to `then`, its Problem to `failed`. Nothing is begun after the end."""
        if self._is_closed:
            return
        self._number += 1
        self._waiting[self._number] = (then, failed)
        self._pool.start(_Task(work, self._number, self._done.emit, self._failed.emit))

    @property
    def is_busy(self) -> bool:
        """Whether something is still to come."""
        return bool(self._waiting)

    def close(self) -> None:
        """Waits for what was begun, and takes nothing more; what comes of it is heard by nobody."""
        self._is_closed = True
        self._waiting.clear()
        if not self._pool.waitForDone(_PATIENCE_MS):
            _log.warning("work beside the window did not end in time")

    @Slot(int, object)
    def _heard(self, number: int, value: object) -> None:
        then, _ = self._waiting.pop(number, (None, None))
        if then is not None:
            then(value)

    @Slot(int, object)
    def _heard_failure(self, number: int, error: object) -> None:
        _, failed = self._waiting.pop(number, (None, None))
        if isinstance(error, Problem):
            if failed is not None:
                failed(error)
            return
        self.faulted.emit(str(error))


class _Task(QRunnable):
    def __init__(
        self,
        work: Callable[[], Any],
        number: int,
        done: Callable[[int, object], None],
        failed: Callable[[int, object], None],
    ) -> None:
        super().__init__()
        self._work, self._number, self._done, self._failed = work, number, done, failed

    def run(self) -> None:
        try:
            value = self._work()
        except Problem as problem:
            self._failed(self._number, problem)
        except Exception as error:  # noqa: BLE001 - must not leave a thread of Qt's; it is told in the window
            _log.exception("work beside the window failed")
            self._failed(self._number, error)
        else:
            self._done(self._number, value)
