"""The fit check knows what the engine knows: the model's own weights, counted tokens, the cards; also the next time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from tests.ui.engines import Engines
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.plan.facts import CardUser, MachineFacts, TorchFacts
from yue2_desktop.plan.known import ModelFacts, facts_json, model_json
from yue2_desktop.plan.plans import Plan
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors
from yue2_desktop.runtime.fake_engine import Script
from yue2_desktop.settings import Settings
from yue2_desktop.song.document_score import DocumentScore
from yue2_desktop.song.wording import path_text
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.plan_work import Knowledge, Planned, keep_knowledge, plan_song

SMALL = GgufFile("small.gguf", TypedTensors((("q4_k", 9),)), TypedTensors((("q4_k", 9),)), "q6_k")
MODEL = ModelFacts(RELEASED, Inventory(checkpoint=False, ggufs=(SMALL,), can_convert=False))


def plan_of(planned: Planned) -> Plan:
    assert planned.planning is not None
    assert planned.planning.plan is not None, planned.reason
    return planned.planning.plan


@pytest.fixture
def open_desk(
    qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path
) -> Iterator[Callable[[Engines], Desk]]:
    made: list[Desk] = []

    def opened(factory: Engines) -> Desk:
        settings = Settings(models_folder=test_model.model_dir.parent, output_folder=tmp_path)
        desk = compose(settings, dialogs=answers, read_machine=lambda folder: machine(), factory=factory)
        made.append(desk)
        desk.show()
        return desk

    yield opened
    answers.unsaved_answer, answers.leave = Unsaved.DISCARD, True
    for desk in made:
        if desk.window.isVisible():
            assert desk.window.close()
        desk.window.deleteLater()
        desk.deleteLater()


def facts_for(test_model: TestModel) -> dict[str, object]:
    known = replace(machine(), torch=TorchFacts("2.9", "12.6", ("flash",)))
    return {
        "machine": facts_json(known),
        "model": model_json(MODEL),
        "model_path": path_text(test_model.model_dir),
    }


def test_the_plan_is_of_the_model_that_was_found(
    open_desk: Callable[[Engines], Desk], test_model: TestModel, answers: Answers, qtbot: QtBot
) -> None:
    factory = Engines()
    factory.script = Script(facts=facts_for(test_model))
    desk = open_desk(factory)
    desk.session.apply("Words", song(cot="off"))
    qtbot.waitUntil(lambda: "small.gguf" in repr(desk.window.fit_line.planning), timeout=20_000)
    assert desk.machine is not None
    assert desk.machine.torch == TorchFacts("2.9", "12.6", ("flash",))
    # A word is a token for this engine: "English, folk, guitar" and "[Verse] The ferry leaves at nine".
    planning = desk.window.fit_line.planning
    assert planning is not None
    assert planning.plan is not None
    qtbot.waitUntil(lambda: not desk.window.fit_line.planning.plan.demand.bounded, timeout=20_000)  # type: ignore[union-attr]
    assert desk.window.fit_line.planning.plan.demand.text_tokens == 9 - 4  # type: ignore[union-attr]
    answers.unsaved_answer = Unsaved.DISCARD
    assert desk.window.close()
    # The next start plans for it before there is an engine.
    waiting = Engines()
    waiting.script = Script(hold_at="starting")
    again = open_desk(waiting)
    qtbot.waitUntil(lambda: "small.gguf" in repr(again.window.fit_line.planning), timeout=20_000)
    assert again.window.status.engine_text == "engine starting…"


def test_facts_that_are_none_change_nothing(
    open_desk: Callable[[Engines], Desk], test_model: TestModel, qtbot: QtBot
) -> None:
    factory = Engines()
    factory.script = Script(facts={"machine": {"gpus": "many"}, "model": 3})
    desk = open_desk(factory)
    qtbot.waitUntil(lambda: desk.window.status.engine_text == "engine ready", timeout=20_000)
    qtbot.waitUntil(lambda: desk.window.fit_line.planning is not None, timeout=20_000)
    assert desk.machine == machine()


def test_scores_are_counted_apart_from_the_words() -> None:
    written = song(score=DocumentScore.imported("X:1 K:C CDEF", "a.abc"))

    def count(document: object) -> int:
        return 20 if document == written else 7  # the words and two marks; with the score and all four

    planned = plan_song(written, Settings(), lambda folder: machine(), Knowledge(count=count))
    demand = plan_of(planned).demand
    assert (demand.text_tokens, demand.abc_tokens, demand.bounded) == (5, 11, False)
    bounded = plan_song(written, Settings(), lambda folder: machine(), Knowledge(count=lambda document: None))
    assert plan_of(bounded).demand.bounded
    assert plan_of(bounded).demand.abc_tokens == len("X:1 K:C CDEF")


def test_memory_of_the_engine_is_there_for_the_next_render() -> None:
    """What is shown as free is what is free; the plan counts with what the engine would give back."""
    card = machine().gpus[0]  # type: ignore[index]
    full = replace(machine(), gpus=(replace(card, free_bytes=GIB, users=(CardUser(7, "engine", 4 * GIB),)),))
    before = plan_song(song(), Settings(), lambda folder: full)
    beside = plan_song(song(), Settings(), lambda folder: full, Knowledge(engine=7))
    assert beside.machine == full
    assert before.planning is not None
    assert beside.planning is not None
    assert before.planning.free_bytes == GIB
    assert beside.planning.free_bytes == 5 * GIB


def test_what_the_engine_told_is_kept_for_these_files_alone(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    settings = Settings(output_folder=tmp_path)

    def read(folder: Path) -> MachineFacts:
        return machine()

    keep_knowledge(settings, Knowledge((file,), None, MODEL), read)
    assert "small.gguf" in repr(plan_song(song(), settings, read, Knowledge((file,))).planning)
    file.write_bytes(b"GGUF, another one")
    assert "small.gguf" not in repr(plan_song(song(), settings, read, Knowledge((file,))).planning)
    file.unlink()
    assert plan_song(song(), settings, read, Knowledge((file,))).planning is not None
