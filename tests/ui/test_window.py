"""The window as a whole: every control can be named and reached, and closing it leaves nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QPushButton, QSplitter, QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, machine, song
from tests.ui.walking import nameless, out_of_reach, tab_order
from yue2_desktop.settings import Settings
from yue2_desktop.ui.actions import ACTIONS, tip
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved
from yue2_desktop.ui.theme.metrics import SMALLEST


def test_every_control_has_a_name(desk: Desk) -> None:
    assert nameless(desk.window) == []


def test_every_control_is_reached_by_tab(desk: Desk) -> None:
    assert out_of_reach(desk.window) == []


def test_tab_goes_from_top_to_bottom(desk: Desk) -> None:
    """The places in reading order: the bar, the words, the fit line, the status bar."""
    window = desk.window
    order = tab_order(window)

    def first(place: object) -> int:
        return min(number for number, one in enumerate(order) if place.isAncestorOf(one))  # type: ignore[attr-defined]

    places = [window.top_bar, window.centralWidget(), window.fit_line, window.status]
    assert [first(place) for place in places] == sorted(first(place) for place in places)


def test_buttons_with_words_and_a_menu_have_the_arrow_of_the_theme(desk: Desk) -> None:
    """No letter stands for an arrow: one would be larger or darker than the others, and be read aloud."""
    found: list[QToolButton | QPushButton] = [
        one for kind in (QToolButton, QPushButton) for one in desk.window.findChildren(kind)
    ]
    with_menu = [one for one in found if one.menu() is not None and one.text() and not _only_icon(one)]
    assert len(with_menu) >= 7
    assert [one.text() for one in with_menu if not one.property("menu")] == []
    assert [one.text() for one in found if "▾" in one.text()] == []


def _only_icon(one: QToolButton | QPushButton) -> bool:
    return isinstance(one, QToolButton) and one.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly


def test_every_action_is_made_once_and_no_key_twice(desk: Desk) -> None:
    actions = desk.window.actions_of_window
    assert len({spec.name for spec in ACTIONS}) == len(ACTIONS) == len(actions.all())
    keys = [key.toString() for action in actions.all() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert "Ctrl+Return" in keys


def test_every_action_has_its_place_in_the_menus(desk: Desk) -> None:
    in_menus = {action for top in desk.window.menuBar().actions() for action in top.menu().actions()}
    assert [action.objectName() for action in desk.window.actions_of_window.all() if action not in in_menus] == []


def test_a_tip_names_the_key(desk: Desk) -> None:
    text = tip(desk.window.actions_of_window["render"])
    assert text == f"Render ({QKeySequence('Ctrl+Enter').toString(QKeySequence.SequenceFormat.NativeText)})"


def test_undo_says_what(desk: Desk) -> None:
    actions = desk.window.actions_of_window
    assert not actions["undo"].isEnabled()
    desk.session.apply("Transpose", song())
    assert actions["undo"].text() == "&Undo transpose"
    actions["undo"].trigger()
    assert desk.session.document.is_blank
    assert actions["redo"].isEnabled()


def test_undo_in_the_title_is_the_song_s(desk: Desk, qtbot: QtBot) -> None:
    desk.window.top_bar.edit_title()
    title = desk.window.focusWidget()
    qtbot.keyClicks(title, "Ferry")
    assert desk.session.document.title == "Ferry"
    assert desk.session.undo_stack.count() == 1
    desk.session.undo_stack.undo()
    assert title.text() == ""  # type: ignore[union-attr]


def test_space_plays_only_where_nothing_is_typed(desk: Desk, qtbot: QtBot) -> None:
    heard: list[bool] = []
    desk.window.play_pressed.connect(lambda: heard.append(True))
    desk.window.top_bar.edit_title()
    qtbot.keyClick(desk.window.focusWidget(), Qt.Key.Key_Space)
    assert heard == []
    qtbot.keyClick(desk.window, Qt.Key.Key_Space)
    assert heard == [True]


def test_a_drop_is_told(desk: Desk, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "words.txt"
    path.write_text("[Verse]\nOver the river\n", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignal(desk.window.dropped) as heard:
        desk.window.dropEvent(event)
    assert heard.args == [path]
    qtbot.waitUntil(lambda: "river" in desk.session.document.lyrics)


def test_it_is_whole_at_its_smallest(desk: Desk) -> None:
    desk.window.resize(*SMALLEST)
    assert (desk.window.width(), desk.window.height()) == SMALLEST
    for place in (desk.window.top_bar, desk.window.fit_line):
        assert place.width() == SMALLEST[0]
        assert place.minimumSizeHint().width() <= SMALLEST[0]


def test_the_window_comes_back_where_it_was(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    sides = desk.window.findChild(QSplitter)
    sides.setSizes([560, sides.width() - 560])
    left = sides.sizes()[0]
    desk.window.close()
    again = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine())
    qtbot.addWidget(again.window)
    assert not again.remembered.state("window").isEmpty()
    again.window.resize(desk.window.size())
    again.window.show()
    # Minimal widths of the panels, which depend on fonts, may push the handle a little.
    assert again.window.findChild(QSplitter).sizes()[0] == pytest.approx(left, abs=48)
    again.window.close()


def test_cancel_keeps_the_window_open(desk: Desk, answers: Answers) -> None:
    desk.session.apply("Words", song())
    answers.unsaved_answer = Unsaved.CANCEL
    assert not desk.window.close()
    assert desk.window.isVisible()
    assert answers.asked == ["unsaved Ferry"]


def idle(desk: Desk) -> None:
    """Nothing is going on."""


def typing(desk: Desk) -> None:
    desk.session.apply("Words", replace(song(), lyrics="[Verse]\nThe ferry leaves at ten\n"))


def planning(desk: Desk) -> None:
    desk.planner.plan_now()


def opening(desk: Desk) -> None:
    desk.documents.open_path(Path("nothing.yue2song"))


@pytest.mark.parametrize("stage", [idle, typing, planning, opening])
def test_closing_leaves_nothing(qapp: QApplication, answers: Answers, stage: Callable[[Desk], None]) -> None:
    """Row 106, as far as there is no engine; `nothing_left` looks for threads and timers afterwards."""
    answers.unsaved_answer = Unsaved.DISCARD
    for _ in range(5):
        made = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine())
        made.show()
        qapp.processEvents()
        stage(made)
        assert made.window.close()
        made.window.deleteLater()
        made.deleteLater()
        qapp.processEvents()


def test_a_window_is_out_of_sight_while_what_belongs_to_it_ends(desk: Desk, answers: Answers, qtbot: QtBot) -> None:
    desk.show()
    qtbot.waitExposed(desk.window)
    seen: list[bool] = []
    desk.when_closing(lambda: seen.append(desk.window.windowHandle().isVisible()))
    answers.unsaved_answer = Unsaved.DISCARD
    desk.window.close()
    assert seen == [False]
