"""The score of a take that is being sung, in the score panel; whole windows with an engine by a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import Answers, opened, song, take_of
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.song.document_score import DocumentScore, ScoreOrigin
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.score.panel import ScorePanel

SCORE, LONG = GOOD["04_full_greensleeves_68"], GOOD["10_full_long_104bars"]


class Holding:
    """Makes engines that sing for as long as nobody stops them."""

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        return FakeEngine(on_event, on_end, Script(hold_at="semantic"))


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, Holding()) as made:
        yield made


def panel_of(desk: Desk) -> ScorePanel:
    found = desk.window.findChild(ScorePanel)
    assert isinstance(found, ScorePanel)
    return found


def singing(desk: Desk) -> Job:
    """Renders a take whose score is on the disk before the window hears that its tokens are sung."""
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    controller.render_song()
    (job,) = controller.rendering.jobs()
    take_of(desk.session.document, Path(job.folder), job.seed, score=SCORE, only_score=True)
    return job


def test_the_score_is_read_while_its_tokens_are_sung(desk: Desk, qtbot: QtBot) -> None:
    desk.session.apply("Words", song())
    job = singing(desk)
    qtbot.waitUntil(lambda: desk.session.document.score is not None, timeout=20_000)
    score = desk.session.document.score
    assert score is not None
    assert (score.text, score.origin) == (SCORE, ScoreOrigin.PLAN)
    assert score.plan is not None
    assert score.plan.take == str(Path(job.folder).resolve())
    panel = panel_of(desk)
    qtbot.waitUntil(lambda: panel.notation.sheet is not None, timeout=20_000)
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    assert controller.rendering.jobs()[0].state is JobState.RUNNING
    # Its length stands in place of the estimate from the words.
    editor = desk.window.findChild(EditorPanel)
    assert isinstance(editor, EditorPanel)
    qtbot.waitUntil(lambda: "from the score" in editor.length_text, timeout=20_000)
    desk.session.undo_stack.undo()
    assert desk.session.document.score is None


def test_a_score_that_the_song_has_is_not_overwritten(desk: Desk, qtbot: QtBot) -> None:
    own = DocumentScore(LONG, ScoreOrigin.WRITTEN)
    desk.session.apply("Words", song())
    singing(desk)
    desk.session.apply("Type", replace(desk.session.document, score=own))
    panel = panel_of(desk)
    # The new one is offered.
    qtbot.waitUntil(lambda: panel.plan_line.plans.count() == 1, timeout=20_000)
    assert desk.session.document.score == own
    assert not panel.plan_line.plans.isHidden()
    panel.plan_line.plans.activated.emit(0)
    chosen = desk.session.document.score
    assert chosen is not None
    assert chosen.text == SCORE
    desk.session.undo_stack.undo()
    assert desk.session.document.score == own
