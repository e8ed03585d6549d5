"""The panel of takes: keys, clicks, questions, empty lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers
from tests.ui.takes.samples import job, singing, sounding, take
from yue2_desktop.library.browsing import Order, Query
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.take_summary import TakeState
from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.places import Places
from yue2_desktop.ui.takes.questions import NoteDialog
from yue2_desktop.ui.takes.rows import job_key, take_key
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font

SIGNALS = (
    "cancel_requested", "pause_requested", "resume_requested", "retry_requested", "duplicate_requested",
    "remove_requested", "moved", "play_requested", "play_pause_requested", "finish_requested", "finalise_requested",
    "star_toggled", "note_changed", "trash_requested", "settings_requested", "compare_requested", "export_requested",
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


def _press(qtbot: QtBot, panel: TakesPanel, place: QPoint) -> None:
    """As a hand that has seen what it presses."""
    qtbot.waitUntil(lambda: panel.view.rests_at(place))
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def _menu(panel: TakesPanel, key: str) -> dict[str, QAction]:
    """The entries of a row's menu, by name; it is open."""
    row = panel.model.row_at(panel.model.index_of(key))
    assert row is not None
    panel.view.open_menu(row, QPoint(10, 10))
    menu = panel.view.findChildren(QMenu)[-1]
    return {action.data(): action for action in menu.actions() if action.data()}


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
    _press(qtbot, panel, place)
    said = panel.model.index(0).data()
    assert "Cancelling…" in said
    assert "left" not in said.split("Cancelling…")[0]
    _press(qtbot, panel, place)
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing(1300))])
    assert "Cancelling…" in panel.model.index(0).data()
    assert heard == [("cancel_requested", 1)]
    panel.set_jobs([job(1, JobState.CANCELLED)])
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    assert "Cancelling…" not in panel.model.index(0).data(), "tried again"


def test_a_press_is_never_for_a_row_that_has_just_come(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot
) -> None:
    """The hand was on its way to the row that has gone; what stayed where it was is pressed at once."""
    panel.set_jobs([job(1, JobState.FAILED), job(2, JobState.RUNNING), job(3), job(4)])
    top, second, last = (_places(panel, job_key(number)).play.center() for number in (2, 1, 4))
    for place in (top, second, last):
        qtbot.waitUntil(lambda place=place: panel.view.rests_at(place))
    panel.set_jobs([job(1, JobState.FAILED), job(2, JobState.CANCELLED), job(3, JobState.RUNNING), job(4)])
    assert [row.key for row in panel.model.rows] == ["job 3", "job 1", "job 2", "job 4"]
    for place in (top, second, last):
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert heard == [("retry_requested", 1), ("cancel_requested", 4)]
    heard.clear()
    _press(qtbot, panel, top)
    assert heard == [("cancel_requested", 3)]


def test_a_button_that_has_just_changed_its_meaning_is_not_pressed(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot
) -> None:
    """The cross of a render that comes to its end by itself at that moment is not the arrow that tries it again."""
    panel.set_jobs([job(1, JobState.RUNNING)])
    place = _places(panel, job_key(1))
    qtbot.waitUntil(lambda: panel.view.rests_at(place.play.center()))
    panel.set_jobs([job(1, JobState.FAILED)])
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place.play.center())
    assert heard == []
    _press(qtbot, panel, place.play.center())
    assert heard == [("retry_requested", 1)]


def test_keys_and_double_clicks_are_as_quick_as_ever(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot
) -> None:
    panel.set_takes([take(1)])
    panel.set_jobs([job(1)])
    qtbot.waitUntil(lambda: panel.view.rests_at(_places(panel, job_key(1)).play.center()))
    panel.set_jobs([])
    place = _places(panel, take_key(ONE))
    qtbot.mouseDClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place.words.center())
    panel.focus_list()
    _key(qtbot, panel, Qt.Key.Key_S)
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place.play.center())
    assert heard == [("play_requested", ONE), ("star_toggled", ONE)]


def test_delete_takes_all_renders_that_are_selected(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot
) -> None:
    """From the bottom, so that none begins before its turn to be cancelled has come."""
    panel.set_jobs([job(1, JobState.RUNNING), job(2), job(3), job(4, JobState.FAILED), job(5, JobState.PAUSED)])
    panel.set_takes([take(1)])
    panel.view.selectAll()
    panel.focus_list()
    panel.view.selectionModel().setCurrentIndex(
        panel.model.index_of(job_key(2)), QItemSelectionModel.SelectionFlag.NoUpdate
    )
    _key(qtbot, panel, Qt.Key.Key_Delete)
    assert heard == [("cancel_requested", number) for number in (5, 3, 2, 1)]
    heard.clear()
    panel.set_jobs([job(number, JobState.CANCELLED) for number in range(1, 5)])
    panel.view.selectAll()
    _menu(panel, job_key(2))["remove"].trigger()
    assert heard == [("remove_requested", number) for number in (4, 3, 2, 1)]


def test_the_cross_is_for_its_own_row_alone(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    panel.set_jobs([job(1), job(2)])
    panel.view.selectAll()
    _press(qtbot, panel, _places(panel, job_key(2)).play.center())
    assert heard == [("cancel_requested", 2)]


def test_all_that_wait_are_cancelled_at_once(panel: TakesPanel, heard: list[tuple[Any, ...]]) -> None:
    """A batch that was begun by mistake; what runs and what was put aside stays."""
    panel.set_jobs([job(1, JobState.RUNNING), job(2), job(3, JobState.PAUSED), job(4), job(5)])
    found = _menu(panel, job_key(1))
    assert found["cancel_all"].text() == "Cancel all 3 that wait"
    found["cancel_all"].trigger()
    assert heard == [("cancel_requested", 5), ("cancel_requested", 4), ("cancel_requested", 2)]
    panel.set_jobs([job(1, JobState.RUNNING), job(2)])
    assert "cancel_all" not in _menu(panel, job_key(1)), "the one can be cancelled by its own"


def test_a_menu_does_nothing_that_can_no_longer_be_done(panel: TakesPanel, heard: list[tuple[Any, ...]]) -> None:
    """The render came to its end while its menu was open."""
    panel.set_jobs([job(1, JobState.RUNNING)])
    found = _menu(panel, job_key(1))
    panel.set_jobs([job(1, JobState.FAILED)])
    found["cancel"].trigger()
    panel.set_jobs([])
    found["duplicate"].trigger()
    assert heard == []


def test_what_a_render_left_is_reached_from_its_row(
    panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot
) -> None:
    """Its take has no row of its own while it is listed."""
    left = take(1, state=TakeState.CANCELLED, audio=None)
    panel.set_takes([left])
    panel.set_jobs([job(1, JobState.CANCELLED, folder=ONE, started=1.0)])
    assert [row.key for row in panel.model.rows] == ["job 1"]
    found = _menu(panel, job_key(1))
    for name in ("settings", "folder", "retry"):
        found[name].trigger()
    assert heard == [("settings_requested", ONE), ("show_in_folder_requested", ONE), ("retry_requested", 1)]
    heard.clear()
    panel.set_jobs([])
    assert _menu(panel, take_key(ONE))["finish"].text().startswith("Finish this take\t")
    _menu(panel, take_key(ONE))["finish"].trigger()
    panel.select(take_key(ONE))
    _key(qtbot, panel, Qt.Key.Key_Return)
    _press(qtbot, panel, _places(panel, take_key(ONE)).play.center())
    assert heard == [("finish_requested", ONE)] * 3
    panel.set_jobs([job(2, JobState.CANCELLED)])
    assert "folder" not in _menu(panel, job_key(2)), "nothing was begun"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ode_steps": 8}, "Make the final of this draft"),
        ({"ode_steps": 16}, "Make the final of this sketch"),
        ({"ode_steps": 31}, "Make the final of this sketch"),
        ({"ode_steps": 8, "last": TakeStage.SEMANTIC, "audio": None, "state": TakeState.CANCELLED},
         "Make the final of this draft"),
        ({"ode_steps": 32}, None),
        ({"ode_steps": 8, "last": TakeStage.PLAN, "audio": None, "state": TakeState.PARTIAL}, None),
        ({"ode_steps": 8, "state": TakeState.DAMAGED}, None),
        ({"ode_steps": None}, None),
    ],
)  # fmt: skip
def test_whatever_has_fewer_steps_and_its_tokens_becomes_a_final(
    panel: TakesPanel, changes: dict[str, Any], words: str | None
) -> None:
    panel.set_takes([take(1, **changes)])
    found = _menu(panel, take_key(ONE)).get("finalise")
    assert (found.text() if found is not None else None) == words


def test_a_take_plays_while_another_renders(panel: TakesPanel, heard: list[tuple[Any, ...]], qtbot: QtBot) -> None:
    """Row 114."""
    panel.set_jobs([job(1, JobState.RUNNING, standing=singing())])
    panel.set_takes([take(1)])
    places = _places(panel, take_key(ONE))
    for part in (places.play, places.star):
        _press(qtbot, panel, part.center())
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
    _press(qtbot, panel, _places(panel, take_key(ONE)).play.center())
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


def _is_in_sight(panel: TakesPanel) -> bool:
    view = panel.view
    return view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_the_row_that_keys_are_about_stays_in_sight_when_rows_go(panel: TakesPanel, qtbot: QtBot) -> None:
    ended = [job(number, JobState.CANCELLED) for number in range(1, 21)]
    panel.set_jobs(ended)
    panel.set_takes([take(number) for number in range(1, 31)])
    panel.view.setFocus()
    for _ in range(19):
        _key(qtbot, panel, Qt.Key.Key_Down)
    assert panel.view.verticalOffset() > 0
    assert _is_in_sight(panel)
    panel.set_jobs([])
    assert panel.view.current is not None
    assert panel.view.current.key == take_key(ONE)
    assert _is_in_sight(panel)


def test_the_menu_key_shows_the_row_that_it_is_for(panel: TakesPanel, qtbot: QtBot) -> None:
    panel.set_takes([take(number) for number in range(1, 31)])
    panel.view.setFocus()
    panel.view.verticalScrollBar().setValue(panel.view.verticalScrollBar().maximum())
    assert not _is_in_sight(panel)
    by_key = QContextMenuEvent.Reason.Keyboard
    panel.view.contextMenuEvent(QContextMenuEvent(by_key, QPoint(), QPoint()))
    assert _is_in_sight(panel)


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


def test_the_dots_of_one_of_two_that_are_selected_open_the_menu_of_both(panel: TakesPanel, qtbot: QtBot) -> None:
    panel.set_takes([take(2), take(1)])
    panel.view.select(take_key(TWO))
    panel.view.selectAll()
    _press(qtbot, panel, _places(panel, take_key(ONE)).more.center())
    menu = panel.view.findChildren(QMenu)[-1]
    assert "compare" in {action.data() for action in menu.actions()}
    menu.close()
    assert len(panel.view.chosen) == 2
    panel.view.select(take_key(TWO))
    _press(qtbot, panel, _places(panel, take_key(ONE)).more.center())
    panel.view.findChildren(QMenu)[-1].close()
    assert [row.key for row in panel.view.chosen] == [take_key(ONE)], "one that is not selected is alone"


def test_the_header_counts_takes_and_what_waits(panel: TakesPanel) -> None:
    assert panel.header.count.text() == ""
    panel.set_jobs([job(1, JobState.RUNNING), job(2, JobState.WAITING)])
    assert panel.header.count.text() == "1 waits"
    panel.set_takes([take(2), take(1)])
    panel.set_jobs([job(number, JobState.WAITING) for number in range(3, 21)])
    assert panel.header.count.text() == "2 takes, 18 wait"
