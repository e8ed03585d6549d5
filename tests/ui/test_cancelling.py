"""Cancelling in the window: it is seen at once, it is soon done, and what is asked for meanwhile waits and runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.pace import pace
from tests.ui.desks import Answers, machine, song
from yue2_desktop.engine.messages import Event, Progressed
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.fake_engine import STAGES, FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.settings import Settings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import JobRow


class Factory:
    """One engine that waits in a stage; `say` is its voice."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.made: list[FakeEngine] = []
        self.say: Callable[[Event], None]

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        self.say = on_event
        self.made.append(FakeEngine(on_event, on_end, self.script))
        return self.made[-1]


@pytest.fixture
def opened(
    qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path
) -> Iterator[Callable[[Script], tuple[Desk, Factory]]]:
    desks: list[Desk] = []

    def made(script: Script) -> tuple[Desk, Factory]:
        factory = Factory(script)
        settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path)
        desks.append(compose(settings, dialogs=answers, read_machine=lambda folder: machine(), factory=factory))
        desks[0].show()
        qtbot.waitUntil(lambda: desks[0].window.status.engine_text == "engine ready", timeout=20_000)
        desks[0].session.apply("Words", song())
        return desks[0], factory

    yield made
    answers.unsaved_answer, answers.leave = Unsaved.DISCARD, True
    for desk in desks:
        desk.window.close()
        desk.window.deleteLater()
        desk.deleteLater()


def states(desk: Desk) -> list[JobState]:
    found = desk.findChild(Controller)
    assert isinstance(found, Controller)
    return [job.state for job in found.rendering.jobs()]


def rows(desk: Desk) -> list[JobRow]:
    panel = desk.window.findChild(TakesPanel)
    return [row for row in panel.model.rows if isinstance(row, JobRow)]


def cancel_the_first(desk: Desk, qtbot: QtBot) -> None:
    """By the keyboard, as a user does."""
    view = desk.window.findChild(TakesPanel).view
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Delete)


@pytest.mark.parametrize("stage", STAGES)
def test_rows_101_and_103_in_the_window(
    opened: Callable[[Script], tuple[Desk, Factory]], qtbot: QtBot, stage: str
) -> None:
    """Seen within 200 ms and done within 1 s, on an idle machine of two cores; a job 100 ms later waits and runs."""
    desk, factory = opened(Script(hold_at=stage))
    render = desk.window.actions_of_window["render"]
    render.trigger()
    qtbot.waitUntil(lambda: bool(rows(desk)) and rows(desk)[0].standing is not None
                    and rows(desk)[0].standing.stage == stage, timeout=20_000)  # fmt: skip
    begun = time.monotonic()
    cancel_the_first(desk, qtbot)
    assert rows(desk)[0].cancelling, "seen in its row as soon as the key is pressed"
    qtbot.waitUntil(lambda: desk.window.status.engine_text == "cancelling…" or states(desk)[0] is JobState.CANCELLED)
    assert time.monotonic() - begun < 0.2 * pace()
    qtbot.wait(100)
    render.trigger()
    qtbot.waitUntil(lambda: states(desk)[0] is JobState.CANCELLED, timeout=20_000)
    assert time.monotonic() - begun < 1.0 * pace()
    factory.made[0].released.set()
    qtbot.waitUntil(lambda: states(desk) == [JobState.CANCELLED, JobState.DONE], timeout=20_000)
    assert len(factory.made) == 1
    assert desk.window.notices.text.startswith("The test model")  # nothing is complained of


def test_that_it_is_being_cancelled_stays_in_sight(
    opened: Callable[[Script], tuple[Desk, Factory]], qtbot: QtBot
) -> None:
    """Steps that are still on their way do not say that it goes on."""
    desk, factory = opened(Script(hold_at="acoustic", obeys=False, patience_s=600.0))
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: "shaping the sound" in desk.window.status.engine_text, timeout=20_000)
    cancel_the_first(desk, qtbot)
    qtbot.waitUntil(lambda: desk.window.status.engine_text == "cancelling…", timeout=20_000)
    (row,) = rows(desk)
    factory.say(Progressed(row.job.id, "acoustic", 7, 64, "steps"))
    qtbot.waitUntil(lambda: rows(desk)[0].standing is not None and rows(desk)[0].standing.done == 7, timeout=20_000)
    assert desk.window.status.engine_text == "cancelling…"
    assert rows(desk)[0].cancelling
    factory.made[0].kill()
    qtbot.waitUntil(lambda: states(desk) == [JobState.CANCELLED], timeout=20_000)
