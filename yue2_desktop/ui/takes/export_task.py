"""Writing an export on a thread of the pool, with its progress and its end told in the window's thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from yue2_desktop.library.export import Exported, ExportOrder, OnSamples
from yue2_desktop.song.errors import Problem

_log = logging.getLogger(__name__)


class Export(Protocol):
    """How a take is exported (see `library.export.export_take`)."""

    def __call__(
        self, folder: Path, target: Path, order: ExportOrder, *, on_samples: OnSamples, cancelled: Callable[[], bool]
    ) -> Exported: ...


class ExportTask(QObject):
    """One export. `progressed` carries samples done and in all, `done` an Exported, `failed` a Problem or error."""

    progressed = Signal(int, int)
    done = Signal(object)
    failed = Signal(object)

    def __init__(self, export: Export, folder: Path, target: Path, order: ExportOrder, parent: QObject) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self._ended = threading.Event()
        self._export = export
        self._what = (folder, target, order)

    def start(self) -> None:
        """Begins."""
        QThreadPool.globalInstance().start(_Run(self._work))

    def cancel(self) -> None:
        """Asks it to end; it does within a second of sound."""
        self._cancelled.set()

    def wait(self, seconds: float) -> bool:
        """Waits for the end; whether it came."""
        return self._ended.wait(seconds)

    def _work(self) -> None:
        try:
            # Values are handed over as ints of Qt, which end at 2**31 samples: twelve hours.
            made = self._export(*self._what, on_samples=self.progressed.emit, cancelled=self._cancelled.is_set)
        except Problem as problem:
            self.failed.emit(problem)
        except Exception as error:  # noqa: BLE001 - must not leave a thread of Qt's; it is told in the dialog
            _log.exception("an export failed")
            self.failed.emit(error)
        else:
            self.done.emit(made)
        finally:
            self._ended.set()


class _Run(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()
