"""Memory that nobody needs is given back: user-reports.md, row 26."""

from __future__ import annotations

from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.ui.idle_memory import IDLE_MS, IdleMemory


def test_row_26_a_rest_after_work_frees_once(qtbot: QtBot) -> None:
    idle = IdleMemory(idle_ms=20)
    spy = QSignalSpy(idle.due)
    for state in (EngineState.STARTING, EngineState.READY):
        idle.follow(state)
    qtbot.wait(60)
    assert spy.count() == 0  # it has loaded nothing yet
    idle.follow(EngineState.BUSY)
    idle.follow(EngineState.READY)
    qtbot.waitUntil(lambda: spy.count() == 1)
    idle.follow(EngineState.READY)
    qtbot.wait(60)
    assert spy.count() == 1


def test_work_in_time_keeps_the_weights(qtbot: QtBot) -> None:
    idle = IdleMemory(idle_ms=10_000)
    spy = QSignalSpy(idle.due)
    idle.follow(EngineState.BUSY)
    idle.follow(EngineState.READY)
    assert idle._timer.isActive()
    idle.follow(EngineState.BUSY)
    assert not idle._timer.isActive()
    idle.follow(EngineState.DEAD)
    idle.follow(EngineState.READY)
    assert not idle._timer.isActive()
    assert spy.count() == 0
    assert IDLE_MS == 600_000
