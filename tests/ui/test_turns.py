"""The event loop is not kept waiting: what is heavy is done in other threads, and turns are short.

How long it waits on this machine is measured in test_stalls; what is held here is true on any. Work is counted in
seconds of the processor, which do not grow with what else the machine does.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import Answers, opened, song, take_of
from tests.ui.stalls.meter import Meter
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.library import soundings
from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.score.parser import parse
from yue2_desktop.score.preview.synth import Preview
from yue2_desktop.ui import measuring
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor import fact_finder
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.score import parts
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.turns import TURN_S, take_short_turns

LONG = GOOD["10_full_long_104bars"]


class Fast:
    """An engine that tells of hundreds of steps as fast as it can."""

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        return FakeEngine(on_event, on_end, Script(steps=400))


@pytest.fixture
def desk(qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path) -> Iterator[Desk]:
    with opened(qtbot, answers, test_model.model_dir.parent, tmp_path, Fast()) as made:
        yield made


@pytest.fixture
def turns(desk: Desk) -> Iterator[Meter]:
    made = Meter()
    yield made
    made.stop()


def cost_of(work: Callable[[], object]) -> float:
    """What something takes of the processor in this thread, in seconds."""
    before = time.thread_time()
    work()
    return time.thread_time() - before


def shown(panel: ScorePanel, text: str) -> bool:
    return panel.notation.sheet is not None and panel.notation.sheet.parsed.text == text


def test_the_program_takes_short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.getswitchinterval()
    try:
        take_short_turns()
        assert sys.getswitchinterval() == pytest.approx(TURN_S)
    finally:
        sys.setswitchinterval(before)


def test_a_score_of_104_bars_is_drawn_in_another_thread(
    desk: Desk, turns: Meter, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()
    engrave = parts.engrave

    def watched(*values: object, **named: object) -> object:
        threads.add(threading.get_ident())
        return engrave(*values, **named)  # type: ignore[arg-type]

    score = parse(LONG).score
    whole = cost_of(lambda: parts.draw(score, 200, "#000000"))
    monkeypatch.setattr(parts, "engrave", watched)
    panel = desk.window.findChild(ScorePanel)
    assert isinstance(panel, ScorePanel)
    desk.session.apply("Score", song().with_imported_score(LONG, "long.abc"))
    qtbot.waitUntil(lambda: shown(panel, LONG), timeout=60_000)
    turns.begin()
    panel.score.transpose(2, 0)
    text = panel.edits.text
    assert text is not None
    assert text != LONG
    qtbot.waitUntil(lambda: shown(panel, text), timeout=60_000)
    panel.text.open()
    panel.text.edit.setFocus()
    QTest.keyClicks(panel.text.edit, "c8d8")
    typed = panel.edits.text
    assert typed is not None
    qtbot.waitUntil(lambda: shown(panel, typed), timeout=60_000)
    assert threads
    assert threading.main_thread().ident not in threads
    # All of it at once would take as long as drawing the whole score.
    assert turns.longest.busiest < whole / 2


def test_a_take_is_rendered_beside_the_window(desk: Desk, turns: Meter, qtbot: QtBot) -> None:
    """Row 105: hundreds of words from the engine a second are shown, and keep nobody waiting."""
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    desk.session.apply("Words", song())
    score = parse(LONG).score
    whole = cost_of(lambda: parts.draw(score, 200, "#000000"))
    turns.begin()
    controller.render_takes(2)
    qtbot.waitUntil(lambda: [job.state for job in controller.rendering.jobs()] == [JobState.DONE] * 2, timeout=60_000)
    assert turns.longest.busiest < whole / 2


def test_preview_words_and_sounds_are_worked_on_in_other_threads(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    threads: dict[str, set[int]] = {"preview": set(), "words": set(), "sounds": set(), "tokens": set()}

    def watched(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object, **named: object) -> object:
            threads[name].add(threading.get_ident())
            return work(*values, **named)

        return call

    monkeypatch.setattr(Preview, "render", watched("preview", Preview.render))
    monkeypatch.setattr(fact_finder, "word_facts", watched("words", fact_finder.word_facts))
    monkeypatch.setattr(measuring, "light", watched("sounds", measuring.light))
    monkeypatch.setattr(soundings, "audio_blocks", watched("sounds", soundings.audio_blocks))
    take_of(desk.session.document, tmp_path / "Ferry" / "one", 1, sound=np.full((48_000, 2), 0.1, np.float32))
    desk.session.apply("Score", song(id=desk.session.document.id).with_imported_score(LONG, "long.abc"))
    score, editor, takes = (desk.window.findChild(kind) for kind in (ScorePanel, EditorPanel, TakesPanel))
    assert isinstance(score, ScorePanel)
    assert isinstance(editor, EditorPanel)
    assert isinstance(takes, TakesPanel)
    editor.set_token_count(watched("tokens", lambda document: None))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: score.edits.is_read, timeout=20_000)
    score.preview.toggle()
    takes.query_changed.emit(takes.query)
    controller = desk.findChild(Controller)
    assert isinstance(controller, Controller)
    controller.takes_changed.emit()
    qtbot.waitUntil(lambda: all(threads.values()), timeout=60_000)
    score.preview.toggle()
    for name, seen in threads.items():
        assert threading.main_thread().ident not in seen, name
