"""Work of which only the newest result counts."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.latest import Latest


class Ear(QObject):
    """Hears in its own thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[object, bool]] = []

    @Slot(object)
    def hear(self, value: object) -> None:
        self.heard.append((value, QThread.currentThread() is self.thread()))


def held(gate: threading.Event, value: object, calls: list[object]) -> Callable[[], object]:
    def call() -> object:
        calls.append(value)
        assert gate.wait(5)
        return value

    return call


def test_only_the_newest_arrives_and_those_between_are_not_even_called(qtbot: QtBot) -> None:
    latest, ear, gate = Latest(), Ear(), threading.Event()
    calls: list[object] = []
    latest.arrived.connect(ear.hear)
    for value in ("old", "between", "new"):
        latest.ask(held(gate, value, calls))
    with qtbot.waitSignal(latest.arrived):
        gate.set()
    assert ear.heard == [("new", True)]
    assert calls == ["old", "new"]


def test_what_was_forgotten_never_arrives(qtbot: QtBot) -> None:
    latest, ear, gate = Latest(), Ear(), threading.Event()
    calls: list[object] = []
    latest.arrived.connect(ear.hear)
    latest.ask(held(gate, "old", calls))
    latest.forget()
    gate.set()
    with qtbot.waitSignal(latest.arrived):
        latest.ask(held(gate, "new", calls))
    assert [value for value, _ in ear.heard] == ["new"]


def test_a_failure_is_told_and_logged_and_the_next_call_runs(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> object:
        raise ValueError("no tokenizer")

    latest = Latest()
    with qtbot.waitSignal(latest.failed) as told:
        latest.ask(fails)
    assert told.args == ["no tokenizer"]
    assert "Work beside the window failed" in caplog.text
    with qtbot.waitSignal(latest.arrived):
        latest.ask(lambda: 1)


def test_after_stop_nothing_is_heard_or_begun(qtbot: QtBot) -> None:
    latest, ear, gate = Latest(), Ear(), threading.Event()
    calls: list[object] = []
    latest.arrived.connect(ear.hear)
    latest.ask(held(gate, "old", calls))
    latest.ask(held(gate, "waiting", calls))
    latest.stop()
    latest.ask(held(gate, "late", calls))
    gate.set()
    qtbot.waitUntil(lambda: not latest._running)
    assert ear.heard == []
    assert calls == ["old"]


def test_held_it_begins_nothing_and_then_the_newest(qtbot: QtBot) -> None:
    latest, ear, calls = Latest(), Ear(), list[str]()
    latest.arrived.connect(ear.hear)
    latest.hold()
    assert not latest.is_busy
    for value in ("old", "new"):
        latest.ask(lambda value=value: calls.append(value) or value)
    qtbot.wait(20)
    assert (calls, latest.is_busy) == ([], True)
    with qtbot.waitSignal(latest.arrived):
        latest.release()
    assert (calls, ear.heard, latest.is_busy) == (["new"], [("new", True)], False)


def test_a_call_that_runs_is_not_begun_again_by_a_release(qtbot: QtBot) -> None:
    latest, gate, calls = Latest(), threading.Event(), list[object]()
    latest.ask(held(gate, "first", calls))
    latest.hold()
    latest.ask(held(gate, "second", calls))
    latest.release()
    with qtbot.waitSignal(latest.arrived):
        gate.set()
    assert calls == ["first", "second"]


def test_it_may_go_while_work_runs(qtbot: QtBot) -> None:
    latest, gate = Latest(), threading.Event()
    done = threading.Event()

    def call() -> object:
        assert gate.wait(5)
        done.set()
        return None

    latest.ask(call)
    latest.deleteLater()
    with qtbot.waitSignal(latest.destroyed):
        pass
    gate.set()
    assert done.wait(5)
