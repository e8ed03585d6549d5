"""Renders that end badly, in the window: what is told of them, how they go on, and when that is past."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, opened, song
from tests.ui.engines import Engines
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.plan.plans import Planning, Verdict
from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.fake_engine import Script
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.plan_work import Planned
from yue2_desktop.ui.takes.panel import TakesPanel


@pytest.fixture
def engines() -> Engines:
    return Engines()


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, engines: Engines, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, engines) as made:
        made.session.apply("Words", song(cot="off"))
        # The plan is what a test says, and nothing is planned meanwhile.
        qtbot.waitUntil(lambda: not made.planner.is_planning and not made.planner._pause.isActive(), timeout=20_000)
        made.planner.hold()
        yield made


def use(desk: Desk, engines: Engines, script: Script) -> Controller:
    """Another engine; the controller."""
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    engines.script = script
    controller.rendering.restart(engines)
    return controller


def states(controller: Controller) -> list[JobState]:
    return [job.state for job in controller.rendering.jobs()]


def plan(desk: Desk, verdict: Verdict) -> None:
    desk.planner.planned.emit(Planned(machine(), Planning(verdict, None, "", None, None)))


def test_what_broke_off_twice_has_a_button_to_go_on(desk: Desk, engines: Engines, qtbot: QtBot) -> None:
    controller = use(desk, engines, Script(crash_at="semantic"))
    notices = desk.window.notices
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: states(controller) == [JobState.FAILED], timeout=20_000)
    assert len(engines.orders) == 2
    assert notices.text.startswith("The engine ended unexpectedly (SIGSEGV). Nothing was made of “Ferry, take 1” yet;")
    assert notices.button.text() == "Go on"
    engines.script = Script()
    notices.button.click()
    qtbot.waitUntil(lambda: states(controller) == [JobState.DONE], timeout=20_000)
    assert "SIGSEGV" not in notices.text


def test_what_goes_on_by_itself_is_told_until_it_is_done(desk: Desk, engines: Engines, qtbot: QtBot) -> None:
    controller = use(desk, engines, Script(hold_at="semantic"))
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: controller.rendering.running is not None
                    and controller.rendering.running.standing is not None, timeout=20_000)  # fmt: skip
    engines.made[-1].kill()
    notices = desk.window.notices
    qtbot.waitUntil(lambda: "“Ferry, take 1” is begun again by itself." in notices.text, timeout=20_000)
    assert notices.button.isHidden()
    qtbot.waitUntil(lambda: len(engines.orders) == 2, timeout=20_000)
    engines.made[-1].released.set()
    qtbot.waitUntil(lambda: states(controller) == [JobState.DONE], timeout=20_000)
    assert "Ferry" not in notices.text


@pytest.mark.parametrize("way", ["retry", "remove"])
def test_a_failure_that_is_past_is_not_told_any_more(desk: Desk, engines: Engines, qtbot: QtBot, way: str) -> None:
    controller = use(desk, engines, Script(fail_with=("disk-full", "There is no room.")))
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: desk.window.notices.text == "There is no room.", timeout=20_000)
    (job,) = controller.rendering.jobs()
    panel = desk.window.findChild(TakesPanel)
    getattr(panel, f"{way}_requested").emit(job.id)
    assert "no room" not in desk.window.notices.text
    wanted = [JobState.DONE] if way == "retry" else []
    qtbot.waitUntil(lambda: states(controller) == wanted, timeout=20_000)


def test_one_sentence_for_all_that_it_is_true_of(desk: Desk, engines: Engines, qtbot: QtBot) -> None:
    controller = use(desk, engines, Script(crash_at="starting"))
    controller.render_takes(2)
    qtbot.waitUntil(lambda: states(controller) == [JobState.FAILED] * 2, timeout=20_000)
    first, second = controller.rendering.jobs()
    told = desk.window.notices
    assert "take 2" in told.text
    controller.rendering.remove(second.id)
    assert "take 1" in told.text
    controller.rendering.remove(first.id)
    assert "Ferry" not in told.text


@pytest.mark.parametrize("anyway", [True, False])
def test_what_was_refused_is_tried_as_is_ticked_now(desk: Desk, engines: Engines, qtbot: QtBot, anyway: bool) -> None:
    controller = use(desk, engines, Script(fail_with=("does-not-fit", "Nothing fits; “Run anyway” tries.")))
    line = desk.window.fit_line
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: states(controller) == [JobState.FAILED], timeout=20_000)
    tick = line.findChild(QCheckBox)
    tick.setVisible(True)
    tick.setChecked(anyway)
    (job,) = controller.rendering.jobs()
    desk.window.findChild(TakesPanel).retry_requested.emit(job.id)
    qtbot.waitUntil(lambda: states(controller) == [JobState.DONE], timeout=20_000)
    assert [order.order["run_anyway"] for order in engines.orders] == [False, anyway]


def test_a_refusal_is_taken_back_when_it_fits_again_and_not_before(desk: Desk, engines: Engines, qtbot: QtBot) -> None:
    controller = use(desk, engines, Script(fail_with=("does-not-fit", "Nothing fits now.")))
    desk.window.actions_of_window["render"].trigger()
    notices = desk.window.notices
    qtbot.waitUntil(lambda: notices.text == "Nothing fits now.", timeout=20_000)
    plan(desk, Verdict.FITS)  # as the planner thought before, which the engine knows better
    assert notices.text == "Nothing fits now."
    plan(desk, Verdict.DOES_NOT_FIT)
    assert notices.text == "Nothing fits now."
    words = desk.session.document
    desk.session.load(song(id="another"))
    plan(desk, Verdict.FITS)  # of another song
    assert notices.text == "Nothing fits now."
    desk.session.load(replace(words))
    plan(desk, Verdict.FITS)
    assert "Nothing fits" not in notices.text
    assert states(controller) == [JobState.FAILED]  # its row still says what became of it


def test_a_paused_queue_is_seen_everywhere_and_goes_on_from_the_list(
    desk: Desk, engines: Engines, qtbot: QtBot
) -> None:
    controller = use(desk, engines, Script())
    pause = desk.window.actions_of_window["pause_queue"]
    panel = desk.window.findChild(TakesPanel)
    pause.trigger()
    desk.window.actions_of_window["render"].trigger()
    assert controller.rendering.is_paused
    assert "waits: the queue is paused" in panel.model.data(panel.model.index(0))
    assert panel.header.go_on.isVisible()
    assert desk.window.status.engine_text.endswith(", the queue is paused")
    panel.header.go_on.click()
    assert not pause.isChecked()
    assert not panel.header.go_on.isVisible()
    assert "paused" not in desk.window.status.engine_text
    qtbot.waitUntil(lambda: states(controller) == [JobState.DONE], timeout=20_000)
