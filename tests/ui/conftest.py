"""What every test of the window is given: Qt without a screen, and a look at what it left running."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine
from yue2_desktop.settings import Settings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import put_on
from yue2_desktop.ui.theme.palette import LIGHT


@pytest.fixture(autouse=True)
def nothing_left(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test that leaves a thread, a running timer or a child process (user-reports.md, row 107)."""
    started: list[weakref.ref[Any]] = []
    for kind in (QTimer, QThread):
        monkeypatch.setattr(kind, "start", _watched(kind.start, started))
    threads = set(threading.enumerate())
    children = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    qapp.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert QThreadPool.globalInstance().waitForDone(5000), "a task of the thread pool still runs"
    left = [thing for thing in (ref() for ref in started) if thing is not None and shiboken6.isValid(thing)]
    running = [thing for thing in left if (thing.isRunning() if isinstance(thing, QThread) else thing.isActive())]
    for thing in running:
        if isinstance(thing, QThread):
            thing.quit()
            thing.wait(5000)
        else:
            thing.stop()
    # A thread that the pool keeps for the next task has a stand-in here; it is Qt's, and idle.
    dummies = (threading._DummyThread,)
    new = [one for one in threading.enumerate() if one not in threads and not isinstance(one, dummies)]
    for one in new:
        one.join(5.0)  # what was told to end may need a turn of the processor for it
    new = [one for one in new if one.is_alive()]
    born = [one for one in psutil.Process().children(recursive=True) if one.pid not in children]
    assert not running, f"left running: {running}"
    assert not new, f"threads left: {new}"
    assert not born, f"children left: {born}"


def _watched(start: Any, started: list[weakref.ref[Any]]) -> Any:
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        started.append(weakref.ref(self))
        return start(self, *args, **kwargs)

    return watched


@pytest.fixture
def session(qapp: QApplication) -> SongSession:
    """An empty song."""
    return SongSession()


@pytest.fixture
def answers() -> Answers:
    """What the user says in dialogs."""
    return Answers()


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, answers: Answers) -> Iterator[Desk]:
    """A whole window, shown; it is closed without a question at the end."""
    made = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine())
    made.show()
    qtbot.waitUntil(lambda: made.window.fit_line.text != "" or made.machine is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not made.background.is_busy, timeout=10_000)
    yield made
    answers.unsaved_answer = Unsaved.DISCARD
    made.window.close()
    made.window.deleteLater()
    made.deleteLater()


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[None]:
    """The theme of the window, in which measures are those that the user sees; taken off again afterwards."""
    was = qapp.palette(), qapp.styleSheet()
    put_on(qapp, LIGHT)
    yield
    qapp.setPalette(was[0])
    qapp.setStyleSheet(was[1])
