"""A window whose parts cannot all be made: it says what is missing, and all the rest works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from tests.ui.test_controller import Factory, controller, primary
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobState
from yue2_desktop.settings import Settings
from yue2_desktop.ui import controller as controlling
from yue2_desktop.ui import loading, shelf, title_progress
from yue2_desktop.ui.arrival import Arrival
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.panels import EmptyPlace
from yue2_desktop.ui.player import bar
from yue2_desktop.ui.score import panel as score_panel
from yue2_desktop.ui.takes import panel as takes_panel

Open = Callable[[], Desk]
_PANELS = ((score_panel, "ScorePanel"), (takes_panel, "TakesPanel"), (bar, "PlayerBar"))
_PARTS = {
    "Score": _PANELS[0],
    "Takes and queue": _PANELS[1],
    "Player": _PANELS[2],
    "Rendering": (controlling, "Controller"),
}


@pytest.fixture
def opened(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Open]:
    """Opens a window as the program does, and waits until all steps are done."""
    made: list[Desk] = []

    def open_one() -> Desk:
        desk = compose(
            Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path),
            dialogs=answers,
            read_machine=lambda folder: machine(),
            factory=Factory(),
            at_once=False,
        )
        made.append(desk)
        desk.session.load(song(cot="off"))
        desk.show()
        arrival = desk.findChild(Arrival)
        qtbot.waitUntil(lambda: arrival.is_over and not desk.background.is_busy, timeout=60_000)
        return desk

    yield open_one
    answers.unsaved_answer = Unsaved.DISCARD
    for desk in made:
        assert desk.window.close()
        desk.window.deleteLater()
        desk.deleteLater()


def breaks(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
    def raises(*values: object, **more: object) -> None:
        raise OSError("libtone.so is missing")

    monkeypatch.setattr(module, name, raises)


def said_in(place: QWidget) -> list[str]:
    return [label.text() for label in place.findChildren(QLabel) if label.isVisible()]


def test_a_whole_window_says_nothing(opened: Open) -> None:
    window = opened().window
    assert "could not be loaded" not in window.notices.text
    assert window.findChildren(EmptyPlace) == []


@pytest.mark.parametrize("missing", _PARTS)
def test_what_is_missing_is_said_and_the_rest_is_there(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, missing: str
) -> None:
    breaks(monkeypatch, *_PARTS[missing])
    desk = opened()
    window, notices = desk.window, desk.window.notices
    assert notices.text.startswith(f"{missing} could not be loaded (OSError: libtone.so is missing).")
    assert notices.button.text() == "Show the log"
    assert "libtone.so is missing" in caplog.text
    for module, name in _PANELS:
        if (module, name) != _PARTS[missing]:
            assert window.findChild(getattr(module, name)) is not None
    empty = [place for place in window.findChildren(EmptyPlace) if place.isVisible()]
    assert [said_in(place) for place in empty] == (
        [[missing, "This part could not be loaded."]] if missing in {"Score", "Takes and queue"} else []
    )
    if missing == "Rendering":
        return
    primary(desk).click()
    jobs = controller(desk).rendering.jobs
    qtbot.waitUntil(lambda: [job.state for job in jobs()] == [JobState.DONE], timeout=20_000)


def test_two_places_are_named_as_one_reads_them(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in _PANELS[:2]:
        breaks(monkeypatch, module, name)
    assert opened().window.notices.text.startswith("Score, Takes and queue could not be loaded (OSError: ")


def test_who_asks_for_a_render_that_nobody_makes_is_answered(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks(monkeypatch, controlling, "Controller")
    desk = opened()
    for ask in (desk.window.actions_of_window["render"].trigger, primary(desk).click):
        desk.window.notices.withdraw("missing")
        ask()
        assert desk.window.notices.text.startswith("Rendering could not be loaded")


@pytest.mark.parametrize(("module", "name"), [(shelf, "Shelf"), (title_progress, "TitleProgress")])
def test_a_step_of_work_that_raises_keeps_nobody_from_rendering(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    breaks(monkeypatch, module, name)
    desk = opened()
    assert "A part of the program could not be loaded" in desk.window.notices.text
    primary(desk).click()
    jobs = controller(desk).rendering.jobs
    qtbot.waitUntil(lambda: [job.state for job in jobs()] == [JobState.DONE], timeout=20_000)


def test_a_module_that_raises_on_its_thread_does_not_stop_the_window(
    opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it raises: what is loaded there is only loaded early."""

    def raises(name: str) -> None:
        raise ValueError(f"{name} was made for another machine")

    monkeypatch.setattr(loading, "import_module", raises)
    window = opened().window
    assert "numpy was made for another machine" in caplog.text
    assert window.findChildren(EmptyPlace) == []
