"""The window with an engine behind it: from the words to a score and a take, by the buttons."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song, take_of
from yue2_desktop import paths
from yue2_desktop import settings as settings_of_the_user
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobStanding, JobState
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.environment import engine_environment, process_factory
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.score.admission import judge_model_score
from yue2_desktop.settings import Settings
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.render_settings import RenderSettings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller, _Written
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.engine_words import engine_words
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.shelf import Shelf
from yue2_desktop.ui.takes.panel import TakesPanel


class Factory:
    """Makes engines by a script."""

    script = Script()

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        return FakeEngine(on_event, on_end, self.script)


@pytest.fixture
def factory() -> Factory:
    return Factory()


@pytest.fixture
def with_model(
    qtbot: QtBot, answers: Answers, factory: Factory, test_model: TestModel, tmp_path: Path
) -> Iterator[Desk]:
    settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path)
    desk = compose(settings, dialogs=answers, read_machine=lambda folder: machine(), factory=factory)
    desk.show()
    qtbot.waitUntil(lambda: desk.window.status.engine_text == "engine ready", timeout=10_000)
    yield desk
    answers.unsaved_answer, answers.leave = Unsaved.DISCARD, True
    desk.window.close()
    desk.window.deleteLater()
    desk.deleteLater()


def primary(desk: Desk) -> QPushButton:
    return next(one for one in desk.window.top_bar.findChildren(QPushButton) if one.property("kind") == "primary")


def controller(desk: Desk) -> Controller:
    found = desk.findChild(Controller)
    assert isinstance(found, Controller)
    return found


def test_without_a_model_the_window_says_so_calmly(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "No model yet" in desk.window.notices.text)
    desk.session.apply("Words", song())
    primary(desk).click()
    notices = desk.window.notices
    assert "no model yet" in notices.text
    assert (notices.button.text(), notices.other.text()) == ("Choose a folder…", "Try the test model")
    assert controller(desk).rendering.jobs() == ()


def put_released(folder: Path) -> Path:
    """Something that says of itself that it is a model and its decoder."""
    for name, kind in (("YuE2-3B", "yue2"), ("YuE2-Vae", "yue2_vae")):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.json").write_text(json.dumps({"model_type": kind}), encoding="utf-8")
    return folder


def choose(desk: Desk, folder: Path) -> None:
    desk.dialogs.folder = lambda heading, start: folder  # type: ignore[method-assign]
    assert desk.window.notices.button.text() == "Choose a folder…"
    desk.window.notices.button.click()


def test_a_folder_with_a_model_is_chosen(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    qtbot.waitUntil(lambda: "No model yet" in desk.window.notices.text)
    controller(desk).rendering.restart(Factory())
    choose(desk, put_released(tmp_path / "models"))
    qtbot.waitUntil(lambda: desk.window.notices.text == "", timeout=20_000)
    assert desk.settings.models_folder == tmp_path / "models"


def test_the_test_model_can_be_tried_and_let_go_again(
    qtbot: QtBot, answers: Answers, factory: Factory, tmp_path: Path
) -> None:
    """Made by a process of its own; the engine begins with it, and the window says that its sound is noise."""
    desk = compose(
        Settings(models_folder=tmp_path / "none", output_folder=tmp_path),
        dialogs=answers,
        read_machine=lambda folder: machine(),
        factory=factory,
    )
    desk.show()
    notices = desk.window.notices
    qtbot.waitUntil(lambda: "No model yet" in notices.text, timeout=20_000)
    assert f"the folder {tmp_path / 'none'} does not exist" in notices.text
    assert notices.other.text() == "Try the test model"
    notices.other.click()
    assert "Making the test model" in notices.text
    assert notices.button.isHidden()
    assert notices.other.isHidden()
    qtbot.waitUntil(lambda: "its sound is noise" in notices.text, timeout=120_000)
    qtbot.waitUntil(lambda: desk.window.status.engine_text == "engine ready", timeout=20_000)
    assert desk.settings.models_folder == paths.test_model_folder()
    assert settings_of_the_user.load().settings.models_folder == paths.test_model_folder()  # also the next time
    desk.session.apply("Words", song(cot="off"))
    primary(desk).click()
    qtbot.waitUntil(lambda: [job.state for job in controller(desk).rendering.jobs()] == [JobState.DONE])
    said = next(one for one in desk.window.status.findChildren(QLabel) if one.text() == "test model: noise")
    assert said.isVisible()
    choose(desk, put_released(tmp_path / "models"))
    qtbot.waitUntil(lambda: notices.text == "")
    qtbot.waitUntil(lambda: not said.isVisible(), timeout=20_000)
    assert desk.settings.models_folder == tmp_path / "models"
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.close()
    desk.window.deleteLater()
    desk.deleteLater()


def test_closing_while_the_test_model_is_made_leaves_no_process(desk: Desk, qtbot: QtBot) -> None:
    """`nothing_left` looks for it."""
    qtbot.waitUntil(lambda: "No model yet" in desk.window.notices.text)
    desk.window.notices.other.click()
    qtbot.wait(100)
    assert desk.window.close()


def test_what_is_asked_for_before_the_model_is_found_waits(
    qtbot: QtBot, answers: Answers, factory: Factory, test_model: TestModel, tmp_path: Path
) -> None:
    settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path)
    desk = compose(
        settings, dialogs=answers, read_machine=lambda folder: machine(), factory=factory, at_once=False
    )  # fmt: skip
    desk.session.apply("Words", song(cot="off"))
    desk.show()
    desk.window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: desk.findChild(Controller) is not None, timeout=60_000)
    qtbot.waitUntil(lambda: [job.state for job in controller(desk).rendering.jobs()] == [JobState.DONE], timeout=60_000)
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.close()
    desk.window.deleteLater()
    desk.deleteLater()


def test_the_button_says_what_comes_next(with_model: Desk) -> None:
    button = primary(with_model)
    assert not button.isEnabled()
    with_model.session.apply("Words", song())
    assert (button.text(), button.isEnabled()) == ("Write score", True)
    with_model.session.apply("Off", replace(with_model.session.document, cot="off"))
    assert button.text() == "Render"
    with_model.window.top_bar.count_chosen.emit(2)
    assert button.text() == "Render 2 takes"


@pytest.mark.parametrize("way", ["render", "write_score", "takes", "score"])
def test_a_blank_song_is_not_rendered_by_any_way(with_model: Desk, qtbot: QtBot, way: str) -> None:
    """By keys, menus and the buttons of empty places: what is missing is said, and the cursor is where it belongs."""
    window = with_model.window
    rendering = controller(with_model).rendering
    if way in {"render", "write_score"}:
        window.actions_of_window[way].trigger()
    elif way == "takes":
        window.findChild(TakesPanel).render_requested.emit(1)
    else:
        window.findChild(ScorePanel).empty.write.click()
    assert window.notices.text == "Write a style or some lyrics first."
    assert window.findChild(EditorPanel).isAncestorOf(window.focusWidget())
    assert rendering.jobs() == ()
    with_model.session.apply("Words", song(cot="off"))
    assert "first" not in window.notices.text  # it is no longer so
    window.actions_of_window["render"].trigger()
    qtbot.waitUntil(lambda: [job.state for job in rendering.jobs()] == [JobState.DONE], timeout=20_000)


def test_a_score_that_is_asked_for_is_to_be_sung(with_model: Desk, qtbot: QtBot) -> None:
    """With Score: None the model wrote nothing, and what was said of it led to the same again."""
    session = with_model.session
    session.apply("Words", song(cot="off"))
    with_model.window.actions_of_window["write_score"].trigger()
    assert session.document.cot == "full"
    assert session.undo_stack.undoText() == "Write score"
    (job,) = controller(with_model).rendering.jobs()
    assert job.order["request"]["cot"] == "full"
    session.undo_stack.undo()
    assert session.document.cot == "off"
    session.apply("Melody", replace(session.document, cot="melody"))
    steps = session.undo_stack.count()
    with_model.window.actions_of_window["write_score"].trigger()
    assert (session.document.cot, session.undo_stack.count()) == ("melody", steps)


def test_two_takes_by_the_button(with_model: Desk, qtbot: QtBot) -> None:
    with_model.session.apply("Words", song(cot="off"))
    with_model.window.top_bar.count_chosen.emit(2)
    primary(with_model).click()
    rendering = controller(with_model).rendering
    qtbot.waitUntil(lambda: [job.state for job in rendering.jobs()] == [JobState.DONE] * 2)
    assert with_model.window.status.engine_text == "engine ready"


def test_what_runs_is_said_in_the_status_bar(
    with_model: Desk, factory: Factory, qtbot: QtBot, answers: Answers
) -> None:
    factory.script = Script(hold_at="acoustic")
    controller(with_model).rendering.restart(factory)
    with_model.session.apply("Words", song(cot="off"))
    primary(with_model).click()
    qtbot.waitUntil(lambda: "shaping the sound" in with_model.window.status.engine_text)
    answers.leave = False
    answers.unsaved_answer = Unsaved.DISCARD
    assert not with_model.window.close()
    assert answers.asked == ["leave"]


@pytest.mark.parametrize(
    "sentence",
    [
        "No progress for about 4 min: 3 of 8 tiles.",
        "The card ran out of memory while decoding; trying again with tiles of 64 frames, not 128.",
    ],
)
def test_row_11_what_the_engine_warns_of_is_seen_while_the_job_goes_on(
    with_model: Desk, factory: Factory, qtbot: QtBot, sentence: str
) -> None:
    factory.script = Script(warning=sentence, hold_at="decode")
    rendering = controller(with_model).rendering
    rendering.restart(factory)
    with_model.session.apply("Words", song(cot="off"))
    primary(with_model).click()
    qtbot.waitUntil(lambda: sentence in with_model.window.notices.text, timeout=20_000)
    assert rendering.jobs()[0].state is JobState.RUNNING
    rendering.cancel(rendering.jobs()[0].id)
    qtbot.waitUntil(lambda: rendering.jobs()[0].state is JobState.CANCELLED, timeout=20_000)


def test_a_standstill_is_told_no_longer_once_it_is_over(
    with_model: Desk, factory: Factory, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "No progress for about 1 min: 3 of 8 tiles."
    factory.script = Script(warning=sentence, hold_at="decode")
    found = controller(with_model)
    found.rendering.restart(factory)
    with_model.session.apply("Words", song(cot="off"))
    primary(with_model).click()
    notices = with_model.window.notices
    qtbot.waitUntil(lambda: sentence in notices.text, timeout=20_000)
    (job,) = found.rendering.jobs()
    standing = JobStanding("decode", 3, 8, "tiles", still_s=60)
    found._show_jobs((replace(job, standing=standing),))
    assert sentence in notices.text
    found._show_jobs((replace(job, standing=replace(standing, done=4, still_s=None)),))
    assert sentence not in notices.text
    found._warn(sentence)
    assert sentence in notices.text
    found.rendering.cancel(job.id)
    qtbot.waitUntil(lambda: found.rendering.jobs()[0].state is JobState.CANCELLED, timeout=20_000)
    assert sentence not in notices.text


def test_what_the_test_model_writes_alarms_nobody(with_model: Desk, factory: Factory, qtbot: QtBot) -> None:
    """Its scores are noise as its sound is: said once and calmly, and as long as it is in use."""
    window = with_model.window
    assert window.notices.text == "The test model renders: its sound is noise."
    (judgement,) = judge_model_score("X:1\nK:C\nC|\n", truncated=False).sentences
    factory.script = Script(warning=judgement)
    rendering = controller(with_model).rendering
    rendering.restart(factory)
    with_model.session.apply("Words", song(cot="off"))
    primary(with_model).click()
    qtbot.waitUntil(lambda: [job.state for job in rendering.jobs()] == [JobState.DONE], timeout=20_000)
    assert window.notices.text == "The test model renders: its sound is noise."
    next(one for one in window.notices.findChildren(QToolButton) if one.toolTip() == "Put this away").click()
    with_model.use_settings(replace(with_model.settings, threads=2))
    qtbot.waitUntil(lambda: not controller(with_model).model.is_looking)
    assert window.notices.text == ""  # what was put away stays away
    assert "test model: noise" in [one.text() for one in window.status.findChildren(QLabel) if one.isVisible()]


def test_a_score_with_errors_of_another_model_is_told(
    with_model: Desk, factory: Factory, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (judgement,) = judge_model_score("X:1\nK:C\nC|\n", truncated=False).sentences
    factory.script = Script(warning=judgement)
    found = controller(with_model)
    monkeypatch.setattr(found.model, "is_test", False)
    found.rendering.restart(factory)
    with_model.session.apply("Words", song(cot="off"))
    primary(with_model).click()
    qtbot.waitUntil(lambda: judgement in with_model.window.notices.text, timeout=20_000)
    qtbot.waitUntil(lambda: [job.state for job in found.rendering.jobs()] == [JobState.DONE], timeout=20_000)


def test_a_score_that_was_worked_on_is_not_taken_away_unasked(
    with_model: Desk, factory: Factory, qtbot: QtBot, tmp_path: Path
) -> None:
    session = with_model.session
    words = song()
    plan = PlannedScore(str(tmp_path), "X:1\nK:C\n", words.asked, 7)
    session.apply("Words", words)
    session.apply("Score", words.with_plan(plan).with_score_text("X:1\nK:D\n"))
    found = controller(with_model)
    newer = _Written(session.document.id, replace(plan, text="X:1\nK:G\n"))
    found._take_score(newer)
    assert session.document.score is not None
    assert session.document.score.text == "X:1\nK:D\n"
    assert "Yours is kept" in with_model.window.notices.text
    with_model.window.notices.button.click()
    assert session.document.score.text == "X:1\nK:G\n"
    assert "Yours is kept" not in with_model.window.notices.text
    session.undo_stack.undo()
    assert session.document.score.text == "X:1\nK:D\n"
    session.undo_stack.undo()
    found._take_score(newer)  # nothing was there
    assert session.document.score is not None
    found._take_score(_Written(session.document.id, plan))  # the model's own, which the plans keep
    assert session.document.score.text == plan.text


def test_what_is_told_of_one_song_s_score_goes_with_the_song(with_model: Desk, tmp_path: Path) -> None:
    session, notices = with_model.session, with_model.window.notices
    words = song()
    session.apply("Score", words.with_score_text("X:1\nK:D\n"))
    plan = PlannedScore(str(tmp_path), "X:1\nK:C\n", words.asked, 7)
    controller(with_model)._take_score(_Written(session.document.id, plan))
    assert "Yours is kept" in notices.text
    session.load(song(title="Another"))
    assert "Yours is kept" not in notices.text


def test_every_state_has_words() -> None:
    assert len({engine_words(state) for state in EngineState}) == len(EngineState)


def test_the_chosen_card_is_in_the_engine_s_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 34: before torch is imported there, with the settings of its allocator (row 19)."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    engine = process_factory(Settings(gpu="GPU-8").gpu)(lambda event: None, lambda end: None)
    assert engine._environment == engine_environment("GPU-8")  # type: ignore[attr-defined]
    assert engine._environment["CUDA_VISIBLE_DEVICES"] == "GPU-8"  # type: ignore[attr-defined]
    plain = process_factory(Settings().gpu)(lambda event: None, lambda end: None)
    assert plain._environment["CUDA_VISIBLE_DEVICES"] == "0"  # type: ignore[attr-defined]


def test_a_draft_becomes_a_final(with_model: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    """The same tokens and noise, with all steps."""
    draft = song(cot="off")
    folder = take_of(draft, tmp_path / "Ferry" / "draft", 5)
    found = controller(with_model)
    found.from_takes.finalise(str(folder))
    qtbot.waitUntil(lambda: len(found.rendering.jobs()) == 1)
    (job,) = found.rendering.jobs()
    assert job.order["from_take"] == str(folder)
    assert job.order["reuse"] == "semantic"
    assert job.order["render"]["ode_steps"] == 32  # type: ignore[index]
    qtbot.waitUntil(lambda: found.rendering.jobs()[0].state is JobState.DONE)


def test_a_job_has_the_plan_that_was_in_view(with_model: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    """Of a final as well, where the draft is one of the open song."""
    rendering = controller(with_model).rendering
    rendering.pause_all(True)
    with_model.session.apply("Words", song(cot="off"))
    line = with_model.window.fit_line
    qtbot.waitUntil(lambda: bool(line.plan_to_follow), timeout=20_000)
    primary(with_model).click()
    (job,) = rendering.jobs()
    assert job.plan == f"{line.text} · 32 steps"
    draft = replace(song(cot="off", id=with_model.session.document.id), render=RenderSettings(ode_steps=8))
    found = controller(with_model)
    found.from_takes.make_final(tmp_path / "draft", draft)
    found.from_takes.make_final(tmp_path / "draft", replace(draft, id="another"))
    found.from_takes.make_final(tmp_path / "draft", replace(draft, render=RenderSettings(mode="gguf")))
    assert [job.plan for job in rendering.jobs()[1:]] == [job.plan, "32 steps", "32 steps"]


def test_takes_are_counted_on_from_those_in_the_library(with_model: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    """The queue of this machine has never heard of them."""
    rendering = controller(with_model).rendering
    rendering.pause_all(True)
    with_model.session.apply("Words", song(cot="off", id=with_model.session.document.id))
    take_of(with_model.session.document, tmp_path / "Ferry" / "one", 1)
    shelf = with_model.findChild(Shelf)
    assert shelf is not None
    with qtbot.waitSignal(shelf.numbers_found, check_params_cb=lambda numbers: len(numbers) > 0):
        controller(with_model).takes_changed.emit()
    primary(with_model).click()
    assert [job.take for job in rendering.jobs()] == [2]
