"""The panel of takes: keys, clicks, questions, empty lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers
from tests.ui.takes.samples import job, singing, sounding, take
from yue2_desktop.library.browsing import Order, Query
from yue2_desktop.library.take_summary import TakeState
from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.panel import TakesPanel, job_key, take_key
from yue2_desktop.ui.takes.places import Places
from yue2_desktop.ui.takes.questions import NoteDialog
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font

SIGNALS = (
    "cancel_requested", "pause_requested", "resume_requested", "retry_requested", "duplicate_requested",
    "remove_requested", "moved", "play_requested", "play_pause_requested", "finalise_requested", "star_toggled",
    "note_changed", "trash_requested", "settings_requested", "compare_requested", "export_requested",
    "show_in_folder_requested",
)  # fmt: skip
PLAIN = Qt.KeyboardModifier.NoModifier
ONE, TWO = str(take(1).folder), str(take(2).folder)


@pytest.fixture
def panel(qtbot: QtBot, answers: Answers) -> Iterator[TakesPanel]:
    made = TakesPanel(dialogs=answers)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.set_song("ferry")
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.stop()


@pytest.fixture
def heard(panel: TakesPanel) -> list[tuple[Any, ...]]:
    """What the panel wished, as (signal, values...)."""
    found: list[tuple[Any, ...]] = []
    for name in SIGNALS:
        getattr(panel, name).connect(lambda *values, name=name: found.append((name, *values)))
    return found


def _places(panel: TakesPanel, key: str) -> Places:
    rect = panel.view.visualRect(panel.model.index_of(key))
    return panel.view.rows.places_of(rect, QFontMetrics(number_font(panel.view.font())))


def _key(qtbot: QtBot, panel: TakesPanel, key: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    qtbot.keyClick(panel.view, key, modifier)


def test_keys_of_a_take(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot, answers: Answers) -> None:
    panel.set_takes([take(2), take(1)])
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_Return)
    _key(qtbot, panel, Qt.Key.Key_Down)
    _key(qtbot, panel, Qt.Key.Key_Space)
    _key(qtbot, panel, Qt.Key.Key_S)
    _key(qtbot, panel, Qt.Key.Key_Delete)
    assert heard == [
        ("play_requested", TWO), ("play_requested", ONE), ("star_toggled", ONE), ("trash_requested", ONE),
    ]  # fmt: skip
    assert answers.asked == ["TrashDialog"]
    panel.set_playing(ONE, True)
    heard.clear()
    _key(qtbot, panel, Qt.Key.Key_Space)
    assert heard == [("play_pause_requested",)]


def test_nothing_goes_to_the_bin_unasked(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot, answers: Answers
) -> None:
    """Row 113: the program deletes no song unasked."""
    answers.accept = False
    panel.set_takes([take(1)])
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_Delete)
    assert answers.asked == ["TrashDialog"]
    assert heard == []


def test_all_that_is_selected_goes_to_the_bin_with_one_question(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot, answers: Answers
) -> None:
    panel.set_takes([take(2), take(1)])
    panel.view.selectAll()
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_Delete)
    assert answers.asked == ["TrashDialog"]
    assert {values for name, *values in heard for values in values} == {ONE, TWO}


def test_a_note_is_written_and_told_only_if_it_changed(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot, answers: Answers
) -> None:
    panel.set_takes([take(1, note="before")])
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_F2)
    assert heard == []

    def write(dialog: Any) -> None:
        assert isinstance(dialog, NoteDialog)
        assert dialog.note == "before"
        dialog.edit.setPlainText(" the good one ")

    answers.edit = write
    _key(qtbot, panel, Qt.Key.Key_F2)
    assert heard == [("note_changed", ONE, "the good one")]


def test_keys_of_the_list_come_before_those_of_the_window(panel: TakesPanel, qtbot: QtBot, answers: Answers) -> None:
    """F2 edits the title elsewhere."""
    shortcut, pressed = QShortcut(QKeySequence("F2"), panel), []
    shortcut.activated.connect(lambda: pressed.append(1))
    panel.set_takes([take(1)])
    panel.activateWindow()
    panel.focus_list()
    qtbot.waitUntil(panel.view.hasFocus)
    _key(qtbot, panel, Qt.Key.Key_F2)
    assert answers.asked == ["NoteDialog"]
    assert pressed == []


def test_keys_of_a_job(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    panel.set_jobs([job(1), job(2), job(3, JobState.FAILED), job(4, JobState.PAUSED)])
    panel.select(job_key(2))
    _key(qtbot, panel, Qt.Key.Key_Up, control)
    _key(qtbot, panel, Qt.Key.Key_Down, control)
    _key(qtbot, panel, Qt.Key.Key_Delete)
    panel.select(job_key(1))
    _key(qtbot, panel, Qt.Key.Key_Up, control)
    panel.select(job_key(3))
    _key(qtbot, panel, Qt.Key.Key_Return)
    _key(qtbot, panel, Qt.Key.Key_Delete)
    panel.select(job_key(4))
    _key(qtbot, panel, Qt.Key.Key_Down, control)
    _key(qtbot, panel, Qt.Key.Key_Return)
    assert heard == [
        ("moved", 2, 1), ("moved", 2, None), ("cancel_requested", 2), ("retry_requested", 3), ("remove_requested", 3),
        ("resume_requested", 4),
    ]  # fmt: skip


def test_a_job_is_dropped_between_others(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    panel.set_jobs([job(1), job(2), job(3)])
    mime = panel.model.mimeData([panel.model.index_of(job_key(3))])
    rect = panel.view.visualRect(panel.model.index_of(job_key(2)))
    for y in (rect.top() + 1, rect.bottom() - 1):
        where = QPointF(rect.center().x(), y)
        arguments = (Qt.DropAction.MoveAction, mime, Qt.MouseButton.LeftButton, PLAIN)
        panel.view.dragEnterEvent(QDragEnterEvent(where.toPoint(), *arguments))
        panel.view.dragMoveEvent(QDragMoveEvent(where.toPoint(), *arguments))
        panel.view.dropEvent(QDropEvent(where, *arguments))
    assert heard == [("moved", 3, 2)], "below its neighbour is its own place"
    assert [row.key for row in panel.model.rows] == ["job 1", "job 2", "job 3"], "until the queue says so"


def test_a_cancel_is_seen_at_once(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    """Row 103: "Cancelling..." before the engine answers, and not a second cancel."""
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    place = _places(panel, job_key(1)).play.center()
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    said = panel.model.index(0).data()
    assert "Cancelling…" in said
    assert "left" not in said.split("Cancelling…")[0]
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing(1300))])
    assert "Cancelling…" in panel.model.index(0).data()
    assert heard == [("cancel_requested", 1)]
    panel.set_jobs([job(1, JobState.CANCELLED)])
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    assert "Cancelling…" not in panel.model.index(0).data(), "tried again"


def test_a_take_plays_while_another_renders(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    """Row 114."""
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    panel.set_takes([take(1)])
    places = _places(panel, take_key(ONE))
    for part in (places.play, places.star):
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=part.center())
    assert heard == [("play_requested", ONE), ("star_toggled", ONE)]


def test_the_menu_does_what_it_says(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    panel.set_takes([take(2, ode_steps=8), take(1)])
    panel.view.selectAll()
    row = panel.model.rows[0]
    panel.view.open_menu(row, QPoint(10, 10))
    menu = panel.view.findChild(QMenu)
    assert menu is not None
    names = [action.data() for action in menu.actions() if action.data()]
    assert names == ["play", "finalise", "star", "note", "settings", "compare", "export", "folder", "trash"]
    for action in menu.actions():
        if action.data() in {"finalise", "settings", "compare", "export", "folder"}:
            action.trigger()
    menu.close()
    assert heard == [
        ("finalise_requested", TWO), ("settings_requested", TWO), ("compare_requested", TWO, ONE),
        ("export_requested", TWO), ("show_in_folder_requested", TWO),
    ]  # fmt: skip


def test_a_take_without_sound_offers_none(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    panel.set_takes([take(1, state=TakeState.PARTIAL, audio=None)])
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_Return)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=_places(panel, take_key(ONE)).play.center())
    assert heard == []


def test_the_query_is_told_when_it_changes(panel: TakesPanel, qtbot: QtBot) -> None:
    assert panel.query == Query(song="ferry")
    with qtbot.waitSignal(panel.query_changed) as told:
        panel.header.search.setText(" 나루  rain ")
    assert told.args == [Query(text="나루  rain", song="ferry")]
    panel.header.scope.setCurrentIndex(2)
    panel.header.order.setCurrentIndex(1)
    panel.header.direction.click()
    assert panel.query == Query(text="나루  rain", starred=True, order=Order.LENGTH, descending=False)
    with qtbot.waitSignal(panel.query_changed) as told:
        panel.empty.everything_wanted.emit()
    assert panel.query == Query(order=Order.LENGTH, descending=False)


def test_empty_lists_teach(panel: TakesPanel, qtbot: QtBot) -> None:
    assert "Ctrl+Enter" in panel.empty.text
    with qtbot.waitSignal(panel.render_requested) as told:
        qtbot.mouseClick(panel.empty._render, Qt.MouseButton.LeftButton)
    assert told.args == [1]
    panel.set_reading(True)
    assert "Looking" in panel.empty.text
    panel.set_reading(False)
    panel.header.search.setText("nowhere")
    panel._query_changed()
    assert "“nowhere”" in panel.empty.text
    assert not panel.empty._render.isVisible()
    assert panel.empty.isVisible()
    panel.set_takes([take(1)])
    assert panel.view.isVisible()
    assert panel.header.count.text() == "1 take"


def test_everything_is_painted_in_any_width(panel: TakesPanel, qtbot: QtBot) -> None:
    panel.set_takes([take(2, star=True, note="n " * 80), take(1, song_truncated=True, resumed=True, edited_score=True)])
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing()), job(2, JobState.FAILED, problem="x " * 90)])
    panel.set_soundings({ONE: sounding(), TWO: sounding(seed=2)})
    panel.set_playing(ONE, True)
    for width in (260, 420, 640, 1600):
        panel.resize(width, 300)
        assert not panel.view.grab().isNull()
        places = _places(panel, take_key(ONE))
        parts = [places.star, places.number, places.lead, places.wave, places.words, places.date, places.play]
        shown = [part for part in parts if part.width() > 0]
        assert all(left.right() < right.left() for left, right in pairwise(shown)), width


def test_every_state_of_a_job_has_a_sign_of_its_own(panel: TakesPanel) -> None:
    """What was cancelled does not look as if it still waited."""
    states = [state for state in JobState if state is not JobState.DONE]
    panel.set_jobs([job(number, state) for number, state in enumerate(states, 1)])
    picture = panel.view.viewport().grab().toImage()
    signs = [picture.copy(_places(panel, row.key).star) for row in panel.model.rows]
    assert all(one != other for place, one in enumerate(signs) for other in signs[:place])


def test_every_control_has_a_name_and_tab_goes_in_reading_order(panel: TakesPanel) -> None:
    panel.set_takes([take(1)])
    header = panel.header
    for control in (header.scope, header.order, header.direction, header.search, panel.view):
        assert control.accessibleName()
    order: list[QWidget] = []
    control = header.scope
    ours = [header.scope, header.order, header.direction, header.search, panel.view]
    for _ in range(60):
        if control in ours and control not in order:
            order.append(control)
        control = control.nextInFocusChain()
    assert order == ours


def test_the_selection_survives_changes(panel: TakesPanel) -> None:
    panel.set_takes([take(2), take(1)])
    panel.select(take_key(ONE))
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    panel.set_takes([take(3), take(2), take(1, star=True)])
    assert [row.key for row in panel.view.chosen] == [take_key(ONE)]
    panel.view.setCurrentIndex(QModelIndex())
    assert panel.view.current is None


def test_where_there_is_no_room_an_empty_list_is_its_button(qtbot: QtBot) -> None:
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.set_song("ferry")
    panel.resize(1000, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    words, button = panel.empty._words, panel.empty._render
    assert words.isVisible()
    # The words of the link stand below those of the sentence.
    assert words.x() + words.contentsMargins().left() == button.x() + metrics.LINK_EDGE
    panel.setMinimumHeight(72)  # as in the window
    panel.resize(1000, 76)
    assert words.isHidden()
    assert button.geometry().bottom() <= panel.empty.height()
    panel.resize(1000, 300)
    assert words.isVisible()
    panel.stop()
