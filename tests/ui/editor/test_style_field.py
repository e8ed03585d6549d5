"""The style: chips by keyboard and mouse, free text, completion."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.editor.chip import ChipButton
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.editor.room import Room
from yue2_desktop.ui.session import SongSession

Load = Callable[..., None]
_Key = Qt.Key


def texts(panel: EditorPanel) -> list[str]:
    return [chip.whole_text for chip in panel.style_field.chips]


def chip(panel: EditorPanel, text: str) -> ChipButton:
    return next(one for one in panel.style_field.chips if one.whole_text == text)


def type_style(panel: EditorPanel, text: str) -> None:
    panel.focus_style()
    QTest.keyClicks(panel.style_field.entry, text)


def test_commas_make_chips_and_the_order_stays(panel: EditorPanel, session: SongSession) -> None:
    type_style(panel, "warm, Korean, my own kitchen, pia")
    assert texts(panel) == ["warm", "Korean", "my own kitchen"]
    assert session.document.style == "warm, Korean, my own kitchen, pia"


def test_what_is_half_typed_is_in_the_song_at_once(panel: EditorPanel, session: SongSession) -> None:
    type_style(panel, "slow walt")
    assert session.document.style == "slow walt"
    assert texts(panel) == []
    panel.focus_lyrics()
    assert texts(panel) == ["slow walt"]
    assert not panel.style_field.entry.text()


@pytest.mark.parametrize("separator", ["，", "、", ";", "；"])
def test_other_commas_part_too(panel: EditorPanel, session: SongSession, separator: str) -> None:
    panel.focus_style()
    entry = panel.style_field.entry
    entry.insert(f"中文{separator}folk")
    entry.textEdited.emit(entry.text())
    assert session.document.style == "中文, folk"
    assert texts(panel) == ["中文"]


def test_free_text_that_was_loaded_is_not_rewritten(load: Load, panel: EditorPanel, session: SongSession) -> None:
    load(style="a;b\n  c ,, d")
    assert session.document.style == "a;b\n  c ,, d"
    assert texts(panel) == ["a", "b", "c", "d"]
    assert not session.is_modified


def test_delete_and_backspace_take_chips_out_and_keep_the_focus_near(
    load: Load, panel: EditorPanel, session: SongSession
) -> None:
    load(style="one, two, three, four")
    chip(panel, "two").setFocus()
    QTest.keyClick(chip(panel, "two"), _Key.Key_Delete)
    assert session.document.style == "one, three, four"
    assert chip(panel, "three").hasFocus()
    QTest.keyClick(chip(panel, "three"), _Key.Key_Backspace)
    assert session.document.style == "one, four"
    assert chip(panel, "one").hasFocus()


def test_the_cross_takes_a_chip_out_and_the_text_does_not(load: Load, panel: EditorPanel, session: SongSession) -> None:
    load(style="one, two")
    two = chip(panel, "two")
    QTest.mouseClick(two, Qt.MouseButton.LeftButton, pos=two.cross().center())
    assert session.document.style == "one"
    one = chip(panel, "one")
    QTest.mouseClick(one, Qt.MouseButton.LeftButton, pos=one.rect().topLeft() + one.rect().center() / 3)
    assert session.document.style == "one"
    assert panel.style_field.entry.text() == "one"


def test_a_chip_is_edited_in_its_place(load: Load, panel: EditorPanel, session: SongSession) -> None:
    load(style="one, two, three")
    QTest.keyClick(chip(panel, "two"), _Key.Key_Return)
    assert panel.style_field.entry.selectedText() == "two"
    QTest.keyClicks(panel.style_field.entry, "2")
    assert session.document.style == "one, 2, three"
    QTest.keyClick(panel.style_field.entry, _Key.Key_Return)
    assert texts(panel) == ["one", "2", "three"]


def test_arrows_walk_and_with_control_they_move(load: Load, panel: EditorPanel, session: SongSession) -> None:
    load(style="one, two, three")
    panel.focus_style()
    QTest.keyClick(panel.style_field.entry, _Key.Key_Left)
    assert chip(panel, "three").hasFocus()
    QTest.keyClick(chip(panel, "three"), _Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert session.document.style == "one, three, two"
    assert chip(panel, "three").hasFocus()
    QTest.keyClick(chip(panel, "three"), _Key.Key_Right)
    QTest.keyClick(chip(panel, "two"), _Key.Key_Right)
    assert panel.style_field.entry.hasFocus()
    QTest.keyClick(panel.style_field.entry, _Key.Key_Backspace)
    assert chip(panel, "two").hasFocus()


def test_completion_names_the_category_and_is_taken_by_enter(panel: EditorPanel, session: SongSession) -> None:
    type_style(panel, "92 BPM, kor")
    rows = panel.style_field.suggestions.rows
    assert panel.style_field.suggestions.isVisible()
    assert rows.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Korean, Language"
    QTest.keyClick(panel.style_field.entry, _Key.Key_Down)
    QTest.keyClick(panel.style_field.entry, _Key.Key_Return)
    assert session.document.style == "Korean, 92 BPM"  # where styles have a language
    assert panel.style_field.suggestions.isHidden()


def test_enter_without_an_arrow_keeps_what_was_typed(panel: EditorPanel, session: SongSession) -> None:
    type_style(panel, "kor")
    QTest.keyClick(panel.style_field.entry, _Key.Key_Return)
    assert session.document.style == "kor"


def test_a_click_takes_a_suggestion_and_escape_closes_them(panel: EditorPanel, session: SongSession) -> None:
    type_style(panel, "pian")
    suggestions = panel.style_field.suggestions
    QTest.keyClick(panel.style_field.entry, _Key.Key_Escape)
    assert suggestions.isHidden()
    QTest.keyClicks(panel.style_field.entry, "o")
    rows = suggestions.rows
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(rows.item(0)).center())
    assert session.document.style == "piano"
    assert panel.style_field.entry.hasFocus()


def test_suggestions_stay_inside_the_window(panel: EditorPanel) -> None:
    panel.resize(360, 500)
    type_style(panel, "a")
    suggestions = panel.style_field.suggestions
    assert panel.rect().contains(suggestions.geometry())
    assert suggestions.rows.count() > 3


def test_down_in_an_empty_line_offers_what_is_missing(panel: EditorPanel) -> None:
    type_style(panel, "English, ")
    QTest.keyClick(panel.style_field.entry, _Key.Key_Down)
    assert {
        panel.style_field.suggestions.rows.item(row).data(Qt.ItemDataRole.UserRole + 1)
        for row in range(panel.style_field.suggestions.rows.count())
    } == {"Genre"}


def test_the_menu_adds_by_kind(panel: EditorPanel, session: SongSession) -> None:
    menu = panel._add.menu()
    genre = menu.actions()[1].menu()
    genre.aboutToShow.emit()
    genre.actions()[0].trigger()
    assert session.document.style == genre.actions()[0].text()


def test_a_tempo_takes_the_place_of_the_other(load: Load, panel: EditorPanel, session: SongSession) -> None:
    load(style="folk, 92 BPM")
    panel.style_field.pick("120 BPM")
    assert session.document.style == "folk, 120 BPM"


def test_many_chips_scroll_and_do_not_push_the_words_away(load: Load, panel: EditorPanel) -> None:
    load(style=", ".join(f"piece number {n}" for n in range(60)))
    assert panel.style_field.height() < 180
    assert panel.page.edit.height() > 100


@pytest.mark.parametrize("room", list(Room))
def test_the_line_that_is_typed_in_is_seen_whole(load: Load, panel: EditorPanel, qtbot: QtBot, room: Room) -> None:
    """However few rows there are room for; in the tightest it is the only one."""
    field = panel.style_field
    load(style=", ".join(f"piece number {number}" for number in range(40)))
    field.entry.setFocus()
    field.set_room(room)

    def seen() -> bool:
        line = field.entry.geometry().translated(0, -field.verticalScrollBar().value())
        return line.top() >= 0 and line.bottom() < field.viewport().height()

    qtbot.waitUntil(seen, timeout=20_000)


def test_a_piece_wider_than_the_field_is_elided_and_whole_in_its_tooltip(load: Load, panel: EditorPanel) -> None:
    long = "a very long description without any comma " * 5
    load(style=long.strip())
    only = panel.style_field.chips[0]
    assert only.width() <= panel.style_field.viewport().width()
    assert long.strip() in only.toolTip()


def test_undo_takes_back_a_chip_and_what_is_typed(panel: EditorPanel, session: SongSession, qtbot: QtBot) -> None:
    type_style(panel, "folk,")
    session.undo_stack.undo()
    assert session.document.style == ""
    assert texts(panel) == []
    type_style(panel, "rock")
    QTest.keyClick(panel.style_field.entry, _Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.style_field.entry.text() == ""


def test_a_song_shows_the_beginning_of_its_style_and_arrows_scroll(load: Load, panel: EditorPanel) -> None:
    panel.resize(425, 377)
    load(style=", ".join(f"piece number {n}" for n in range(20)))
    bar = panel.style_field.verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == 0
    panel.focus_style()
    QTest.keyClick(panel.style_field.entry, _Key.Key_Left)
    last = panel.style_field.chips[-1]
    assert last.hasFocus()
    view = panel.style_field.viewport()
    assert view.rect().contains(last.mapTo(view, last.rect().center()))
