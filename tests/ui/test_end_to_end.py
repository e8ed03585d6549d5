"""The whole way through the window with the real engine process and the test model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.names import SEMANTIC
from yue2_desktop.library.take_summary import TakeState
from yue2_desktop.queue.job import JobState
from yue2_desktop.settings import Settings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import TakeRow, take_key

#: A busy machine takes its time to import torch.
PATIENCE_MS = 120_000


@pytest.fixture
def real(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path, threads=1)
    desk = compose(settings, dialogs=answers, read_machine=lambda folder: machine())
    desk.show()
    qtbot.waitUntil(lambda: desk.findChild(Controller) is not None)
    yield desk
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.close()
    desk.window.deleteLater()
    desk.deleteLater()


def test_from_words_to_a_take(real: Desk, qtbot: QtBot) -> None:
    """No score, two seconds: rendered by the button, listed, and played next by the same button."""
    short = song(cot="off")
    real.session.apply("Words", replace(short, render=replace(short.render, max_frames=50, ode_steps=2)))
    button = next(one for one in real.window.top_bar.findChildren(QPushButton) if one.property("kind") == "primary")
    found = real.findChild(Controller)
    assert isinstance(found, Controller)
    rendering = found.rendering
    qtbot.waitUntil(lambda: "ready" in real.window.status.engine_text, timeout=PATIENCE_MS)
    assert button.text() == "Render"
    button.click()
    assert "its sound is noise" in real.window.notices.text  # that of the test model; nothing is wrong
    qtbot.waitUntil(lambda: rendering.jobs()[0].state.is_over, timeout=PATIENCE_MS)
    (job,) = rendering.jobs()
    assert (job.state, job.problem) == (JobState.DONE, "")
    assert button.text() == "Play"
    takes = real.window.findChild(TakesPanel)
    qtbot.waitUntil(lambda: any(isinstance(row, TakeRow) for row in takes.model.rows), timeout=10_000)
    (row,) = takes.model.rows
    assert isinstance(row, TakeRow)
    assert row.take.song is not None
    assert (row.take.song.id, row.take.song.title, row.take.song.take) == (real.session.document.id, "Ferry", 1)
    assert row.take.seconds == pytest.approx(2.0, abs=0.1)


def test_a_take_that_was_broken_off_is_finished_from_its_row(real: Desk, qtbot: QtBot) -> None:
    """Cancelled while its sound is shaped, its job taken out of the list: it goes on from the tokens that it has."""
    short = song(cot="off")
    real.session.apply("Words", replace(short, render=replace(short.render, max_frames=100, ode_steps=64)))
    found, takes = real.findChild(Controller), real.window.findChild(TakesPanel)
    assert isinstance(found, Controller)
    rendering = found.rendering
    found.render_song()
    qtbot.waitUntil(lambda: len(rendering.jobs()) == 1, timeout=PATIENCE_MS)

    def is_shaped() -> bool:
        (job,) = rendering.jobs()
        assert not job.state.is_over, job.problem
        return job.standing is not None and job.standing.stage == "acoustic"

    qtbot.waitUntil(is_shaped, timeout=PATIENCE_MS)
    (job,) = rendering.jobs()
    rendering.cancel(job.id)
    qtbot.waitUntil(lambda: rendering.jobs()[0].state is JobState.CANCELLED, timeout=PATIENCE_MS)
    rendering.remove(job.id)
    found.takes_changed.emit()
    qtbot.waitUntil(lambda: [row.key for row in takes.model.rows] == [take_key(job.folder)], timeout=PATIENCE_MS)
    tokens = (Path(job.folder) / SEMANTIC).read_bytes()
    takes.view.wished.emit("finish", takes.model.rows[0])
    qtbot.waitUntil(lambda: [one.state for one in rendering.jobs()] == [JobState.DONE], timeout=PATIENCE_MS)

    def is_listed() -> bool:
        (row,) = takes.model.rows
        return isinstance(row, TakeRow) and row.take.state is TakeState.FINISHED

    qtbot.waitUntil(is_listed, timeout=PATIENCE_MS)
    (row,) = takes.model.rows
    assert isinstance(row, TakeRow)
    assert row.take.seconds == pytest.approx(4.0, abs=0.1)
    assert row.take.song is not None
    assert (row.take.song.id, row.take.song.take, row.take.seed) == (real.session.document.id, job.take, job.seed)
    assert (row.folder / SEMANTIC).read_bytes() == tokens
