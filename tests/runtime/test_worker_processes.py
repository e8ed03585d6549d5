"""The worker with engines in processes of their own, which are small scripts here."""

from __future__ import annotations

import sys
import time
from itertools import pairwise

import pytest
from PySide6.QtCore import QObject, QTimer, Slot
from pytestqt.qtbot import QtBot

from tests.runtime.conftest import Told
from yue2_desktop.runtime.engine_process import EngineProcess
from yue2_desktop.runtime.worker import start_worker, stop_worker

ORDER = {"folder": "somewhere", "part": "take"}


_SERVES = """
import json, os, sys
def say(**values):
    sys.stdout.write(json.dumps({"v": 1, **values}) + "\\n"); sys.stdout.flush()
say(type="ready", protocol=1, app_version="0", torch="none", pid=os.getpid())
for line in sys.stdin:
    command = json.loads(line)
    if command["type"] == "make":
        if command["order"].get("hold_the_lock"):
            import ctypes
            ctypes.PyDLL(None).sleep(2)
        say(type="made", job=command["job"], folder=command["order"]["folder"], summary={})
    elif command["type"] == "quit":
        break
"""


def test_an_order_that_is_no_json_fails_alone(qtbot: QtBot) -> None:
    thread, worker = start_worker(lambda event, end: EngineProcess([sys.executable, "-c", _SERVES], event, end))
    told = Told(worker)
    worker.make(1, {"folder": object()})
    worker.make(2, ORDER)
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in told.said, timeout=20_000)
    assert next(said for said in told.said if said[0] == "failed")[1:3] == (1, "bad-request")
    assert stop_worker(thread, worker)


@pytest.mark.skipif(sys.platform == "win32", reason="sleep of the C library")
def test_native_code_that_holds_the_lock_does_not_stop_the_window(qtbot: QtBot) -> None:
    """user-reports.md, row 105: the heart beats on while the engine's process holds its interpreter for 2 s."""
    beats: list[float] = []
    timer = QTimer()
    timer.setInterval(50)
    heart = _Heart(beats)
    timer.timeout.connect(heart.beat)
    thread, worker = start_worker(lambda event, end: EngineProcess([sys.executable, "-c", _SERVES], event, end))
    told = Told(worker)
    timer.start()
    start = time.monotonic()
    worker.make(1, {**ORDER, "hold_the_lock": True})
    qtbot.waitUntil(lambda: ("made", 1, "somewhere") in told.said, timeout=20_000)
    timer.stop()
    assert time.monotonic() - start > 2.0
    gaps = sorted(after - before for before, after in pairwise(beats))
    # Half a second would be a stall anybody sees; the machine of the tests may be slow, but not for 2 s.
    assert gaps[-1] < 1.0
    assert stop_worker(thread, worker)


class _Heart(QObject):
    def __init__(self, beats: list[float]) -> None:
        super().__init__()
        self._beats = beats

    @Slot()
    def beat(self) -> None:
        self._beats.append(time.monotonic())
