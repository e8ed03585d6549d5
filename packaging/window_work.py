"""The work during which the window's event loop is watched: a plan, a render, a preview, edits of a long score."""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from yue2_desktop import paths
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.queue.job import JobState
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.garbage import GarbageInWindow
from yue2_desktop.ui.score.note_keys import Ask
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.turns import take_short_turns

_TICK_MS: Final = 10
_LONG_SCORE: Final = Path(__file__).resolve().parent.parent / "tests" / "scores" / "10_full_long_104bars.abc"
_PATIENCE_S: Final = 300.0
#: From here on `--stacks` says what the window does.
_TELL_S: Final = 0.045


class Pulse(QObject):
    """A timer in the window's thread that remembers its longest gap, and how much of one that thread itself worked.

    The difference is waiting: for other threads of Python, and for other programs.
    """

    def __init__(self, *, tells: bool) -> None:
        super().__init__()
        self.longest = self.busiest = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self._thread = threading.get_ident()
        if tells:
            threading.Thread(target=self._watch, daemon=True).start()

    def begin(self) -> None:
        """Forgets what was."""
        self.longest = self.busiest = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()

    @Slot()
    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self.busiest = max(self.busiest, worked - self._worked)
        self._last, self._worked = now, worked

    def _watch(self) -> None:
        told = 0.0
        while True:
            time.sleep(0.005)
            if time.perf_counter() - self._last > _TELL_S and told != self._last:
                told = self._last
                stack = traceback.format_stack(sys._current_frames()[self._thread])  # noqa: SLF001 - to look, as a debugger does
                print("".join(stack[-6:]), "-" * 60, file=sys.stderr)


class Worker:
    """Does the work in a window, and waits as a user would: by letting it answer."""

    def __init__(self, desk: Desk, pulse: Pulse) -> None:
        self.desk, self.pulse = desk, pulse
        score, editor = desk.window.findChild(ScorePanel), desk.window.findChild(EditorPanel)
        controller = desk.findChild(Controller)
        if score is None or editor is None or controller is None:
            raise RuntimeError("the window is not whole")
        self.score, self.editor, self.controller = score, editor, controller
        self.found: dict[str, tuple[float, float]] = {}

    def watched(self, name: str, work: Callable[[], None]) -> None:
        """Does something, and notes the longest gap meanwhile."""
        self.wait(0.3)
        self.pulse.begin()
        work()
        self.wait(0.2)
        self.found[name] = (self.pulse.longest * 1000, self.pulse.busiest * 1000)
        print(f"{name}: {self.found[name][0]:.0f} ms", file=sys.stderr)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Lets the window answer until something is so."""
        end = time.monotonic() + _PATIENCE_S
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError("the window is not done")
            self._answer()

    def wait(self, seconds: float) -> None:
        """Lets the window answer for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._answer()

    def _answer(self) -> None:
        QCoreApplication.processEvents()
        time.sleep(0.0005)

    def made(self, count: int) -> bool:
        """Whether so many jobs are done."""
        return [job.state for job in self.controller.rendering.jobs()].count(JobState.DONE) == count

    def open_song(self, song: SongDocument) -> None:
        """Another song takes the place of this one."""
        self.desk.session.load(song)
        self.wait(1.0)

    def plan(self) -> None:
        """Writes a score."""
        self.controller.write_score()
        self.until(lambda: self.made(1))

    def render(self) -> None:
        """Renders a take; the words are typed on meanwhile."""
        self.controller.render_song()
        self.type_words()
        self.until(lambda: self.made(2))

    def type_words(self) -> None:
        """Types a line."""
        self.desk.window.activateWindow()
        self.editor.page.edit.setFocus()
        self.type_into(self.editor.page.edit, " and on we go")

    def type_into(self, widget: QWidget, text: str) -> None:
        """A key every tenth of a second."""
        for letter in text:
            QTest.keyClicks(widget, letter)
            self.wait(0.1)

    def open_long_score(self) -> None:
        """Puts the score of 104 bars into the song."""
        document = self.desk.session.document
        text = _LONG_SCORE.read_text(encoding="utf-8")
        self.desk.session.apply("Score", document.with_imported_score(text, "long.abc"))
        self.settled()

    def settled(self) -> None:
        """Waits until the notation shows what the text says, and a moment more."""
        score = self.score
        self.wait(0.5)
        self.until(lambda: score.edits.is_read and score.notation.sheet is not None
                   and score.notation.sheet.parsed is score.edits.known)  # fmt: skip

    def transpose(self) -> None:
        """The whole song, two semitones up, and back by undo."""
        self.score.score.transpose(2, 0)
        self.settled()
        self.desk.session.undo_stack.undo()
        self.settled()

    def move_notes(self) -> None:
        """A note up and down by keys, and longer."""
        self.score.focus_score()
        for ask in (Ask.NEXT, Ask.HIGHER, Ask.HIGHER, Ask.NEXT, Ask.LOWER, Ask.LONGER):
            self.score.notation.asked.emit(ask)
            self.wait(0.15)
        self.settled()

    def type_score(self) -> None:
        """Bars at the end of the text, and in its middle."""
        edit = self.score.text.edit
        self.score.text.open()
        edit.setFocus()
        cursor = edit.textCursor()
        cursor.setPosition(len(edit.words()) // 2)
        edit.setTextCursor(cursor)
        self.type_into(edit, "c8d8")
        self.settled()

    def change_tempo(self) -> None:
        """Three steps of the tempo's field."""
        for _ in range(3):
            self.score.bar.tempo.stepUp()
            self.wait(0.1)
        self.settled()

    def preview(self) -> None:
        """Plays three seconds."""
        self.score.preview.toggle()
        self.wait(3.0)
        self.score.preview.toggle()

    def scroll(self) -> None:
        """Through the whole score, page by page."""
        bar = self.score.notation.verticalScrollBar()
        for place in range(0, bar.maximum() + 1, max(1, bar.pageStep() // 2)):
            bar.setValue(place)
            self.wait(0.05)


def work(models: str, takes: str, arguments: Sequence[str]) -> None:
    """Does all of it once; the last line on stdout is the gaps in milliseconds, as JSON."""
    take_short_turns()
    app = QApplication([])
    garbage = GarbageInWindow(app)
    desk = compose(Settings(models_folder=Path(models), output_folder=Path(takes)))
    desk.window.resize(1440, 900)
    desk.show()
    pulse = Pulse(tells="--stacks" in arguments)
    while desk.findChild(Controller) is None:
        app.processEvents()
    worker = Worker(desk, pulse)
    worker.until(lambda: desk.window.status.engine_text == "engine ready")
    song = load_examples(paths.resources() / "examples")[0]
    short = replace(song, render=replace(song.render, max_frames=250, ode_steps=8), score=None)
    worker.wait(1.0)
    worker.watched("nothing", lambda: worker.wait(2.0))
    worker.watched("another song is opened", lambda: worker.open_song(short))
    worker.watched("words are typed", worker.type_words)
    worker.watched("a score is written", worker.plan)
    worker.watched("a take is rendered", worker.render)
    worker.watched("a score of 104 bars is opened", worker.open_long_score)
    worker.watched("104 bars: scrolled through", worker.scroll)
    worker.watched("104 bars: transposed, undone", worker.transpose)
    worker.watched("104 bars: notes moved by keys", worker.move_notes)
    worker.watched("104 bars: text typed", worker.type_score)
    worker.watched("104 bars: tempo changed", worker.change_tempo)
    worker.watched("104 bars: preview", worker.preview)
    desk.documents.may_replace = lambda: True  # type: ignore[method-assign]
    desk.window.close()
    for gone in (desk.window, desk, pulse):
        gone.deleteLater()
    app.processEvents()
    garbage.let_go()
    print(json.dumps(worker.found), flush=True)
