"""Work off the window's thread of which only the newest result counts."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

_LOG = logging.getLogger(__name__)


class _Mouth(QObject):
    """Says from the pool's thread what came of a piece of work."""

    done = Signal(int, object)
    failed = Signal(int, str)


class _Work(QRunnable):
    """One call; it owns its mouth, so that nothing is said through an object that is gone."""

    def __init__(self, generation: int, call: Callable[[], object], mouth: _Mouth) -> None:
        super().__init__()
        self._generation = generation
        self._call = call
        self._mouth = mouth

    def run(self) -> None:
        """Qt's own: in a thread of the pool."""
        try:
            value = self._call()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is logged and told
            _LOG.exception("Work beside the window failed")
            self._mouth.failed.emit(self._generation, str(error))
            return
        self._mouth.done.emit(self._generation, value)


class Latest(QObject):
    """Runs calls one after another; `arrived` has the result of the last call asked for, never an older one.

    While a call runs, only the newest of those that wait is kept. A call that raises is logged and `failed` says so.
    """

    arrived = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mouth = _Mouth()
        self._mouth.done.connect(self._take)
        self._mouth.failed.connect(self._complain)
        self._generation = 0
        self._running = False
        self._waiting: Callable[[], object] | None = None
        self._stopped = self._held = False

    def hold(self) -> None:
        """Begins no call until `release`: a thread beside that of the window has half of Python's time."""
        self._held = True

    def release(self) -> None:
        """Begins what was asked for meanwhile."""
        self._held = False
        if not self._running:
            self._begin_waiting()

    @property
    def is_busy(self) -> bool:
        """Whether a call runs, or waits for its turn."""
        return self._running or self._waiting is not None

    def ask(self, call: Callable[[], object]) -> None:
        """Calls `call` in the pool; whatever was asked for before counts no longer."""
        if self._stopped:
            return
        self._generation += 1
        self._waiting = call
        if not self._running:
            self._begin_waiting()

    def forget(self) -> None:
        """Nothing that was asked for counts any longer."""
        self._generation += 1
        self._waiting = None

    def stop(self) -> None:
        """Takes no more calls, and hears nothing of the one that runs; before the window goes."""
        self.forget()
        self._stopped = True

    def _begin_waiting(self) -> None:
        if self._waiting is None or self._held or self._stopped:
            return
        call, self._waiting = self._waiting, None
        self._running = True
        QThreadPool.globalInstance().start(_Work(self._generation, call, self._mouth))

    @Slot(int, object)
    def _take(self, generation: int, value: object) -> None:
        if self._go_on(generation):
            self.arrived.emit(value)

    @Slot(int, str)
    def _complain(self, generation: int, sentence: str) -> None:
        if self._go_on(generation):
            self.failed.emit(sentence)

    def _go_on(self, generation: int) -> bool:
        """Begins what waits; whether the result of `generation` is the newest."""
        self._running = False
        self._begin_waiting()
        return generation == self._generation
