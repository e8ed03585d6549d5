"""Work beside the window: in order, heard in the window's thread, and over with it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.ui.background import Background


def _refuses() -> None:
    raise Problem(ProblemKind.BAD_FILE, "not that file")


def test_results_and_problems_come_back_in_order(qtbot: QtBot) -> None:
    background = Background()
    heard: list[object] = []
    here = threading.current_thread()

    def hear(value: object) -> None:
        assert threading.current_thread() is here
        heard.append(value)

    background.run(lambda: 1, hear)
    background.run(_refuses, hear, lambda problem: hear(problem.sentence))
    background.run(lambda: 2, hear)
    qtbot.waitUntil(lambda: not background.is_busy)
    assert heard == [1, "not that file", 2]
    background.close()


def test_a_fault_of_the_program_is_told(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    background = Background()
    with qtbot.waitSignal(background.faulted) as told:
        background.run(lambda: 1 // 0)
    assert "division" in told.args[0]
    assert "work beside the window failed" in caplog.text
    background.close()


@pytest.mark.parametrize("queued", [0, 3])
def test_what_was_begun_ends_and_nothing_begins_after_the_end(qtbot: QtBot, queued: int) -> None:
    """A file that was about to be saved is saved; a look at the library that comes too late is not begun."""
    background = Background()
    done: list[int] = []
    begun, go = threading.Event(), threading.Event()

    def slow(number: int) -> Callable[[], None]:
        def work() -> None:
            begun.set()
            assert go.wait(30)
            done.append(number)

        return work

    for number in range(queued + 1):
        background.run(slow(number), lambda _: done.append(-1))
    assert begun.wait(30)
    threading.Timer(0.05, go.set).start()
    background.close()
    assert done == list(range(queued + 1))
    background.run(lambda: done.append(99))
    background.deleteLater()
    QCoreApplication.sendPostedEvents(background, QEvent.Type.DeferredDelete)
    qtbot.wait(20)
    assert 99 not in done
    assert -1 not in done
