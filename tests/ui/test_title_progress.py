"""What takes its time goes on while the window is out of sight, and its title says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, opened, song
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk


class Slow:
    """Engines that wait in the middle of a render until they are let go."""

    engine: FakeEngine

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        self.engine = FakeEngine(on_event, on_end, Script(hold_at="acoustic"))
        return self.engine


@pytest.fixture
def engines() -> Slow:
    return Slow()


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, engines: Slow, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, engines) as made:
        yield made


def test_row_55_a_render_goes_on_minimised_and_is_in_the_title(desk: Desk, engines: Slow, qtbot: QtBot) -> None:
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    desk.session.apply("Words", song(cot="off"))
    before = desk.window.windowTitle()
    controller.render_song()
    qtbot.waitUntil(lambda: desk.window.windowTitle() != before)
    assert QApplication.activeModalWidget() is None
    desk.window.showMinimized()
    assert desk.window.windowTitle().endswith(before)
    assert desk.window.windowTitle().removesuffix(before) in {"rendering · ", "a few seconds left · "}
    # A song that is renamed meanwhile keeps it.
    desk.session.apply("Title", song(id=desk.session.document.id, cot="off", title="Bridge"))
    assert "· Bridge[*] ·" in desk.window.windowTitle()
    engines.engine.released.set()
    qtbot.waitUntil(lambda: [job.state for job in controller.rendering.jobs()] == [JobState.DONE], timeout=20_000)
    qtbot.waitUntil(lambda: desk.window.windowTitle() == "Bridge[*] · YuE2 Desktop")
    assert desk.window.isMinimized()
