"""Somebody at a whole window who does what could keep it waiting."""

from __future__ import annotations

from typing import Final, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QPlainTextEdit

from tests.score.samples import GOOD
from tests.ui.stalls.waiting import until, wait
from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.score.note_keys import Ask
from yue2_desktop.ui.score.panel import ScorePanel

Q = TypeVar("Q", bound=QObject)

_LONG: Final = GOOD["10_full_long_104bars"]


class BusyUser:
    """Does things in a whole window; what a method is called is done when it returns."""

    def __init__(self, desk: Desk) -> None:
        window = desk.window
        self._desk = desk
        self._score: ScorePanel = _found(window, ScorePanel)
        self._editor: EditorPanel = _found(window, EditorPanel)
        self._rendering = _found(desk, Controller).rendering

    def writes_a_score(self) -> None:
        """The engine plans the song."""
        self._desk.window.actions_of_window["write_score"].trigger()
        self._is_done()

    def renders_and_types_on(self) -> None:
        """The engine sings; meanwhile a line is written."""
        self._desk.window.actions_of_window["render"].trigger()
        self._types(self._editor.page.edit, " and on we go")
        self._is_done()

    def plans_otherwise(self) -> None:
        """Another mode and other steps, quickly one after another and with pauses in which the plan is made."""
        line = self._desk.window.fit_line
        plans = QSignalSpy(self._desk.planner.planned)
        for steps, mode, pause_s in ((16, "bf16", 0.1), (32, "fp8", 0.1), (16, "offload-ar", 0.5), (8, "auto", 0.5)):
            line.steps_chosen.emit(steps)
            wait(pause_s)
            line.mode_chosen.emit(mode)
            wait(pause_s)
        made = plans.count()
        assert made > 0, "nothing was planned"
        line.steps_chosen.emit(16)
        until(lambda: plans.count() > made)

    def opens_the_long_score(self) -> None:
        """A score of 104 bars."""
        self._desk.session.apply("Score", self._desk.session.document.with_imported_score(_LONG, "long.abc"))
        self._is_drawn()

    def types_into_the_long_score(self) -> None:
        """Notes in the middle of its text."""
        edit = self._score.text.edit
        self._score.text.open()
        cursor = edit.textCursor()
        cursor.setPosition(len(edit.words()) // 2)
        edit.setTextCursor(cursor)
        self._types(edit, "c8d8")
        self._is_drawn()

    def changes_the_long_score(self) -> None:
        """Transposes it and takes that back, moves notes by keys, and makes it quicker."""
        self._score.score.transpose(2, 0)
        self._is_drawn()
        self._desk.session.undo_stack.undo()
        self._is_drawn()
        self._score.focus_score()
        for ask in (Ask.NEXT, Ask.HIGHER, Ask.HIGHER, Ask.NEXT, Ask.LOWER, Ask.LONGER):
            self._score.notation.asked.emit(ask)
            wait(0.15)
        for _ in range(3):
            self._score.bar.tempo.stepUp()
            wait(0.1)
        self._is_drawn()

    def hears_the_long_score(self) -> None:
        """Three seconds of it, from where somebody stands; and turns its pages."""
        preview, bar = self._score.preview, self._score.notation.verticalScrollBar()
        preview.toggle()
        until(lambda: preview.player.is_playing)
        wait(2.0)
        for place in range(0, bar.maximum() + 1, max(1, bar.maximum() // 10)):
            bar.setValue(place)
            wait(0.1)
        assert preview.player.is_playing
        preview.toggle()

    def _types(self, edit: QPlainTextEdit, text: str) -> None:
        self._desk.window.activateWindow()
        edit.setFocus()
        for letter in text:
            QTest.keyClicks(edit, letter)
            wait(0.1)

    def _is_done(self) -> None:
        until(lambda: self._rendering.jobs() != [] and all(job.state.is_over for job in self._rendering.jobs()))
        for job in self._rendering.jobs():
            assert job.state is JobState.DONE, job.problem

    def _is_drawn(self) -> None:
        """Until the notation shows what the text says."""
        wait(0.5)
        edits, notation = self._score.edits, self._score.notation
        until(lambda: edits.is_read and notation.sheet is not None and notation.sheet.parsed is edits.known)


def _found(place: QObject, kind: type[Q]) -> Q:
    found = place.findChild(kind)
    assert isinstance(found, kind), f"the window has no {kind.__name__}"
    return found
