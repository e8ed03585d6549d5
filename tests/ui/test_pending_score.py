"""Whether a score for the open song is on its way: by the jobs alone, and in a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, opened, song
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import render_order
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.pending import Pending
from yue2_desktop.ui.pending_score import pending_score
from yue2_desktop.ui.score.panel import ScorePanel


def asked(document: SongDocument, state: JobState = JobState.WAITING, part: JobPart = JobPart.SCORE) -> Job:
    (request,) = render_order(document, 7).requests
    order = {"request": request.to_json()}
    return Job(1, document.id, document.title, 1, 7, part, "f", order, state)


@pytest.mark.parametrize(
    ("state", "pending"),
    [
        (JobState.WAITING, Pending.WAITS),
        (JobState.INTERRUPTED, Pending.WAITS),
        (JobState.RUNNING, Pending.RUNS),
        (JobState.PAUSED, Pending.NO),
        (JobState.DONE, Pending.NO),
        (JobState.FAILED, Pending.NO),
        (JobState.CANCELLED, Pending.NO),
    ],
)
def test_a_score_that_waits_or_runs_is_on_its_way(state: JobState, pending: Pending) -> None:
    document = song()
    assert pending_score([asked(document, state)], document) is pending
    assert bool(pending.reason) is (pending is not Pending.NO)


def test_the_nearest_counts() -> None:
    document = song()
    jobs = [asked(document, state) for state in (JobState.WAITING, JobState.RUNNING, JobState.WAITING)]
    assert pending_score(jobs, document) is Pending.RUNS
    assert pending_score([], document) is Pending.NO


def test_other_words_another_song_or_a_take_are_no_reason() -> None:
    document = song()
    jobs = [
        asked(replace(document, lyrics="[Verse]\nThe ferry leaves at ten\n"), JobState.RUNNING),
        asked(replace(document, cot="melody"), JobState.RUNNING),
        asked(replace(document, id="another"), JobState.RUNNING),
        asked(document, JobState.RUNNING, JobPart.TAKE),
        replace(asked(document), order={"resume": True}),
        replace(asked(document), order={"request": {"style": 5}}),
    ]
    assert pending_score(jobs, document) is Pending.NO


class Holding:
    """Makes engines that write for as long as nobody stops them."""

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        return FakeEngine(on_event, on_end, Script(hold_at="score"))


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, Holding()) as made:
        yield made


def primary(desk: Desk) -> QPushButton:
    return next(one for one in desk.window.top_bar.findChildren(QPushButton) if one.property("kind") == "primary")


def test_a_second_press_asks_for_nothing_and_says_why(desk: Desk, qtbot: QtBot) -> None:
    desk.session.apply("Words", song(id=desk.session.document.id))
    controller = desk.findChild(Controller)
    panel = desk.window.findChild(ScorePanel)
    assert controller is not None
    assert panel is not None
    action, button, other = desk.window.actions_of_window["write_score"], primary(desk), panel.empty.write
    controller.rendering.pause_all(True)
    button.click()
    assert (button.text(), button.isEnabled(), button.toolTip()) == ("Write score", False, Pending.WAITS.reason)
    controller.rendering.pause_all(False)
    assert (button.text(), button.isEnabled(), button.toolTip()) == ("Writing score…", False, Pending.RUNS.reason)
    assert (action.isEnabled(), other.isEnabled(), other.toolTip()) == (False, False, Pending.RUNS.reason)
    for press in (button.click, action.trigger, other.click, controller.write_score):
        press()
    (job,) = controller.rendering.jobs()
    # Other words may be asked for meanwhile, and these again once the score was cancelled.
    desk.session.apply("Words", replace(desk.session.document, lyrics="[Verse]\nThe ferry leaves at ten\n"))
    assert (button.text(), button.isEnabled(), action.isEnabled(), other.isEnabled()) == (
        "Write score",
        True,
        True,
        True,
    )
    desk.session.undo_stack.undo()
    assert not button.isEnabled()
    qtbot.waitUntil(lambda: controller.rendering.jobs()[0].standing is not None)
    controller.rendering.cancel(job.id)
    qtbot.waitUntil(lambda: controller.rendering.jobs()[0].state is JobState.CANCELLED)
    assert (button.isEnabled(), action.isEnabled(), other.isEnabled(), button.accessibleDescription()) == (
        True, True, True, "",
    )  # fmt: skip
    button.click()
    assert len(controller.rendering.jobs()) == 2
