"""A window that is painted before its panels are there: nothing moves or is lost, and it may close at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import Answers, machine, song
from tests.ui.walking import nameless, out_of_reach, tab_order
from yue2_desktop.settings import Settings
from yue2_desktop.ui import planner
from yue2_desktop.ui.arrival import Arrival, FirstPaint
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.editor import fact_finder
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.score import drawing, panel
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.takes.panel import TakesPanel

_COMING = (ScorePanel, TakesPanel, PlayerBar)


def panels(desk: Desk) -> list[QWidget]:
    """Those of the late panels that are there."""
    return [found for kind in _COMING if (found := desk.window.findChild(kind)) is not None]


def is_whole(desk: Desk) -> bool:
    return desk.findChild(Controller) is not None and len(panels(desk)) == len(_COMING) and not desk.background.is_busy


def put_away(desk: Desk) -> None:
    desk.window.deleteLater()
    desk.deleteLater()


@pytest.fixture
def early(qapp: QApplication, answers: Answers) -> Iterator[Desk]:
    """A window before its first paint."""
    made = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine(), at_once=False)
    yield made
    answers.unsaved_answer = Unsaved.DISCARD
    made.window.close()
    put_away(made)


class Windows(QObject):
    """The windows that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


def test_panels_come_after_the_paint_and_nothing_moves(early: Desk, qtbot: QtBot) -> None:
    window = early.window
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    focused = window.focusWidget()
    shown = Windows()
    QApplication.instance().installEventFilter(shown)
    assert panels(early) == []
    sides, halves = window.findChildren(QSplitter)[:2]
    sizes = sides.sizes(), halves.sizes()
    early.begin()
    qtbot.waitUntil(lambda: is_whole(early), timeout=60_000)
    window.notices.hide()  # that there is no model takes a line of its own
    early.window.layout().activate()
    for before, now in zip(sizes, (sides.sizes(), halves.sizes()), strict=True):
        assert now == pytest.approx(before, abs=60)  # as far as the least widths of the panels allow
    assert sides.count() == halves.count() == 2
    assert window.focusWidget() is focused
    assert window.isActiveWindow()
    assert shown.seen == []  # a panel that is shown before it has its place would be a window of its own


def test_the_window_is_the_same_as_one_made_at_once(early: Desk, desk: Desk, qtbot: QtBot) -> None:
    early.show()
    for one in (early, desk):
        qtbot.waitUntil(lambda one=one: is_whole(one) and bool(one.window.notices.text), timeout=60_000)
        one.window.resize(1280, 832)
    qtbot.wait(50)
    assert nameless(early.window) == []
    assert out_of_reach(early.window) == []
    late, whole = ([type(one).__name__ for one in tab_order(one.window)] for one in (early, desk))
    assert late == whole
    order = tab_order(early.window)
    places = [early.window.top_bar, *panels(early)[:1], early.window.fit_line, *panels(early)[1:], early.window.status]
    first = [min(number for number, one in enumerate(order) if place.isAncestorOf(one)) for place in places]
    assert first == sorted(first)


def test_nothing_is_worked_on_beside_the_window_while_panels_come(
    early: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that draws or counts syllables then has half of Python's time, and each step takes twice as long."""
    over: dict[str, bool] = {}
    arrival, editor = early.findChild(Arrival), early.window.findChild(EditorPanel)

    def watched(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def call(*values: object) -> object:
            over.setdefault(name, arrival.is_over)
            return work(*values)

        return call

    monkeypatch.setattr(drawing, "draw", watched("score", drawing.draw))
    monkeypatch.setattr(fact_finder, "word_facts", watched("words", fact_finder.word_facts))
    monkeypatch.setattr(planner, "_work", watched("plan", planner._work))
    early.session.load(song().with_imported_score(GOOD["01_full_twinkle"], "twinkle.abc"))
    early.show()
    editor._finder.look()
    qtbot.waitUntil(lambda: len(over) == 3, timeout=60_000)
    assert list(over.items()) == [("score", True), ("plan", True), ("words", True)]
    qtbot.waitUntil(lambda: is_whole(early), timeout=60_000)


def test_a_place_that_is_gone_to_early_has_the_keyboard_when_it_is_there(early: Desk, qtbot: QtBot) -> None:
    early.window.show()
    early.window.actions_of_window["focus_takes"].trigger()
    early.begin()
    qtbot.waitUntil(lambda: is_whole(early), timeout=60_000)
    focused = early.window.focusWidget()
    takes = early.window.findChild(TakesPanel)
    assert takes.isAncestorOf(focused)


def test_a_file_that_is_dropped_early_is_opened(early: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "tune.abc"
    path.write_text("X:1\nT:Tune\nM:4/4\nL:1/8\nQ:1/4=96\nK:C\nCDEF GABc|\n", encoding="utf-8")
    early.window.show()
    early.window.dropped.emit(path)
    early.begin()
    qtbot.waitUntil(lambda: is_whole(early), timeout=60_000)
    assert early.session.document.score is not None
    qtbot.waitUntil(lambda: early.window.findChild(ScorePanel).seconds is not None, timeout=20_000)


@pytest.mark.parametrize("ask", ["action", "button"])
def test_a_render_that_is_asked_for_early_is_asked_for_again(early: Desk, qtbot: QtBot, ask: str) -> None:
    """There is no model here, and it is told; with one the render waits in the list (test_controller)."""
    early.window.show()
    early.session.apply("Words", song(cot="off"))
    if ask == "action":
        early.window.actions_of_window["render"].trigger()
    else:
        early.window.top_bar.primary_pressed.emit("render")
    early.begin()
    qtbot.waitUntil(lambda: "no model yet" in early.window.notices.text, timeout=60_000)


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 4, 6, 9, 14])
def test_it_closes_while_panels_come(qapp: QApplication, answers: Answers, turns: int) -> None:
    made = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine(), at_once=False)
    made.show()
    for _ in range(turns):
        qapp.processEvents()
    assert made.window.close()
    put_away(made)
    qapp.processEvents()


def test_steps_are_done_one_a_turn(qtbot: QtBot) -> None:
    done: list[int] = []
    steps: list[Callable[[], None]] = [lambda: done.append(1), lambda: done.append(2)]
    arrival = Arrival(steps)
    with qtbot.waitSignal(arrival.arrived):
        arrival.begin()
        assert done == []
    assert done == [1, 2]
    stopped = Arrival(steps)
    stopped.begin()
    stopped.stop()
    qtbot.wait(20)
    assert done == [1, 2]


def test_a_step_that_raises_takes_no_other_with_it(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    told: list[Exception] = []

    def breaks() -> None:
        raise ImportError("libtone.so is missing")

    arrival = Arrival([lambda: done.append("first"), breaks, lambda: done.append("last"), breaks])
    arrival.failed.connect(told.append)
    with qtbot.waitSignal(arrival.arrived):
        arrival.begin()
    assert done == ["first", "last"]
    assert [str(error) for error in told] == ["libtone.so is missing"] * 2
    assert "libtone.so is missing" in caplog.text
    with pytest.raises(ImportError):
        Arrival([breaks]).do_all()  # at once there is a caller, whose affair it is


def test_a_song_is_planned_where_the_score_cannot_be_shown(
    early: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_values: object, **_named: object) -> None:
        raise ImportError("libverovio.so is missing")

    monkeypatch.setattr(panel, "ScorePanel", breaks)
    early.session.load(song())
    early.show()
    qtbot.waitUntil(lambda: early.window.fit_line.planning is not None, timeout=60_000)


def test_a_window_that_is_not_painted_begins_all_the_same(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitSignal(FirstPaint(window).painted, timeout=20_000):
        pass


def test_the_first_paint_is_told_once_and_after_it(qtbot: QtBot) -> None:
    heard: list[str] = []

    class Drawn(QWidget):
        def paintEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's
            heard.append("painted")

    window = Drawn()
    qtbot.addWidget(window)
    FirstPaint(window).painted.connect(lambda: heard.append("told"))
    window.show()
    qtbot.waitUntil(lambda: "told" in heard)
    window.repaint()
    qtbot.wait(20)
    assert heard[0] == "painted"
    assert heard.count("told") == 1
