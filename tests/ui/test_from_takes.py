"""The rest of takes that were broken off, from their rows: queued, made in their own folder, listed as finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, opened, song, take_of
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library.names import REQUEST, TAKE, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import StageNote
from yue2_desktop.library.take_summary import TakeState
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.queue.job import JobPart, JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.orders import Places, resumed_order
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import SemanticTokens
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow
from yue2_desktop.ui.unfinished import Unfinished, rest_of, unfinished_take

PLACES = Places(Path("/models/mot"), Path("/models/vae"))


def broken_off(document: SongDocument, folder: Path, seed: int = 5) -> Path:
    """A take that was cancelled while it was sung."""
    take_of(document, folder, seed, only_score=True)
    TakeWriter.reopen(folder).failed(TakeStage.SEMANTIC, Problem(ProblemKind.CANCELLED, "Cancelled."))
    return folder


def finish(order: Mapping[str, object]) -> Mapping[str, object]:
    """What the engine does with an order for the rest of a take."""
    assert order["resume"] is True
    folder = Path(str(order["folder"]))
    writer = TakeWriter.reopen(folder)
    writer.semantic(SemanticTokens(load_plan(folder), (1, 2, 3), truncated=False), StageNote(1.0))
    writer.latents(np.zeros((3, 64), np.float32), StageNote(1.0))
    writer.audio(np.full((5760, 2), 0.1, np.float32), StageNote(1.0))
    writer.finish()
    return {}


def factory(on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
    return FakeEngine(on_event, on_end, Script(), finish)


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path / "takes", factory) as made:
        made.session.apply("Words", song(cot="off", id=made.session.document.id))
        yield made


@pytest.fixture
def controller(desk: Desk) -> Controller:
    found = desk.findChild(Controller)
    assert isinstance(found, Controller)
    return found


def rows(desk: Desk) -> tuple[Row, ...]:
    return tuple(desk.window.findChild(TakesPanel).model.rows)


def entries(desk: Desk, row: Row) -> dict[str, QAction]:
    """What the menu of a row has, by name; it was open and is closed."""
    view = desk.window.findChild(TakesPanel).view
    view.open_menu(row, QPoint(10, 10))
    menu = view.findChildren(QMenu)[-1]
    menu.close()
    return {action.data(): action for action in menu.actions() if action.data()}


def test_a_take_that_no_job_is_about_is_finished_from_its_row(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    """In its own folder, with its own seed and number; and then it is as any other."""
    folder = broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")
    controller.takes_changed.emit()
    qtbot.waitUntil(lambda: len(rows(desk)) == 1, timeout=20_000)
    (row,) = rows(desk)
    assert isinstance(row, TakeRow)
    assert row.take.state is TakeState.CANCELLED
    finishing = entries(desk, row)["finish"]
    assert finishing.text().startswith("Finish this take")
    finishing.trigger()
    qtbot.waitUntil(lambda: [job.state for job in controller.rendering.jobs()] == [JobState.DONE], timeout=20_000)
    (job,) = controller.rendering.jobs()
    assert (job.song, job.take, job.seed, job.folder) == (desk.session.document.id, 1, 5, str(folder))

    def done() -> bool:
        found = rows(desk)
        return len(found) == 1 and isinstance(found[0], TakeRow) and found[0].take.state is TakeState.FINISHED

    qtbot.waitUntil(done, timeout=20_000)
    (row,) = rows(desk)
    assert isinstance(row, TakeRow)
    assert row.has_sound
    assert not row.can_go_on


def test_its_number_is_not_counted_on_and_the_next_take_has_the_next(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    controller.rendering.pause_all(True)
    folder = broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")
    controller.rendering.know_numbers({desk.session.document.id: 1})
    controller.from_takes.finish(str(folder))
    qtbot.waitUntil(lambda: len(controller.rendering.jobs()) == 1, timeout=20_000)
    controller.render_song()
    assert [job.take for job in controller.rendering.jobs()] == [1, 2]


def test_a_job_that_is_kept_for_it_goes_on_in_place_of_a_second_one(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    controller.rendering.pause_all(True)
    folder = broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")
    for _ in range(2):
        controller.from_takes.finish(str(folder))
        qtbot.waitUntil(lambda: not desk.background.is_busy, timeout=20_000)
        (job,) = controller.rendering.jobs()
        assert job.state is JobState.WAITING
    controller.rendering.cancel(job.id)
    controller.from_takes.finish(str(folder))
    qtbot.waitUntil(lambda: controller.rendering.jobs()[0].state is JobState.WAITING, timeout=20_000)
    assert len(controller.rendering.jobs()) == 1


def test_the_rest_of_a_take_is_not_queued_once_more(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    """A second one would have nothing to go on from."""
    controller.rendering.pause_all(True)
    folder = broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")
    controller.from_takes.finish(str(folder))
    controller.render_song()
    qtbot.waitUntil(lambda: len(rows(desk)) == 2, timeout=20_000)
    for row in rows(desk):
        assert isinstance(row, JobRow)
        assert ("duplicate" in entries(desk, row)) == (row.job.folder != str(folder))


def test_a_folder_that_is_gone_or_damaged_is_told(desk: Desk, controller: Controller, qtbot: QtBot) -> None:
    controller.from_takes.finish("/nowhere/at/all")
    qtbot.waitUntil(lambda: "/nowhere/at/all" in desk.window.notices.text, timeout=20_000)
    assert controller.rendering.jobs() == ()


def test_without_a_model_it_is_said_what_is_missing(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    controller.rendering.begin(None)
    controller.from_takes.finish(str(broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")))
    qtbot.waitUntil(lambda: "no model" in desk.window.notices.text, timeout=20_000)
    assert controller.rendering.jobs() == ()


def test_what_a_folder_tells(tmp_path: Path) -> None:
    document = song(cot="off")
    folder = broken_off(document, tmp_path / "begun", seed=9)
    assert unfinished_take(folder) == Unfinished(folder, 9, SongOfTake(document.id, "Ferry", 1))
    for name in (REQUEST, TAKE):
        (folder / name).rename(folder / "away")
        with pytest.raises(Problem, match="begun"):
            unfinished_take(folder)
        (folder / "away").rename(folder / name)


@pytest.mark.parametrize("number", [3, None])
def test_a_score_has_no_number_and_stays_a_score(number: int | None) -> None:
    made = rest_of(Unfinished(Path("/takes/one"), 9, SongOfTake("ferry", "Ferry", number)), PLACES)
    part = JobPart.SCORE if number is None else JobPart.TAKE
    assert (made.song, made.title, made.seed, made.take, made.part) == ("ferry", "Ferry", 9, number, part)
    assert made.order == resumed_order(Path("/takes/one"), PLACES, part=part.value)


def test_a_take_of_the_command_line_is_of_no_song_that_is_open() -> None:
    first, second = (rest_of(Unfinished(Path("/takes/one"), 9, None), PLACES) for _ in range(2))
    assert (first.title, first.take, first.part) == ("one", None, JobPart.TAKE)
    assert first.song
    assert first.song != second.song


def test_what_is_asked_for_while_the_model_is_looked_for_waits(
    desk: Desk, controller: Controller, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = broken_off(desk.session.document, tmp_path / "takes" / "Ferry" / "begun")
    controller.model.look()
    controller.from_takes.finish(str(folder))
    assert controller.rendering.jobs() == ()
    qtbot.waitUntil(lambda: len(controller.rendering.jobs()) == 1, timeout=20_000)
    assert "no model yet" not in desk.window.notices.text
