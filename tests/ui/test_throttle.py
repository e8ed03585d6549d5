"""A steady pace for what is told too often."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from yue2_desktop.ui.throttle import Throttle


def test_the_first_is_told_at_once_and_the_last_is_never_lost(qtbot: QtBot) -> None:
    throttle = Throttle(30)
    told: list[int] = []
    value = 0
    throttle.due.connect(lambda: told.append(value))
    while value < 1000:
        throttle.ask()
        value += 1
    value = 999
    assert told == [0]
    qtbot.waitUntil(lambda: told == [0, 999])
    qtbot.wait(100)
    assert told == [0, 999]
    value = 1000
    throttle.ask()
    assert told == [0, 999, 1000]
    throttle.ask()
    throttle.stop()
    qtbot.wait(100)
    assert told == [0, 999, 1000]
