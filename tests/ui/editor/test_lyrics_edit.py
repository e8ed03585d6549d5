"""The lyrics: typing and history, wrong tags and their fixes, pastes, places in UTF-16."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QInputMethodEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from yue2_desktop.song.utf16 import to_utf16
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import put_on
from yue2_desktop.ui.theme.palette import DARK, LIGHT

Load = Callable[..., None]
_Key = Qt.Key
_CTRL = Qt.KeyboardModifier.ControlModifier
WRONG = "[Verse]\n🤣 one\n\n(Chorus)\ntwo\n\nVerse 2:\nthree\n【副歌】\nfour\n[chorus]\nfive"


def cursor_at(panel: EditorPanel, found: str) -> None:
    words, edit = panel.page.edit.words(), panel.page.edit
    cursor = edit.textCursor()
    cursor.setPosition(to_utf16(words, words.index(found)))
    edit.setTextCursor(cursor)


def formats(panel: EditorPanel, line: int) -> list[tuple[str, QTextCharFormat]]:
    block = panel.page.edit.document().findBlockByNumber(line)
    raw = block.text().encode("utf-16-le")
    return [
        (raw[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le"), QTextCharFormat(one.format))
        for one in block.layout().formats()
    ]


def paste(panel: EditorPanel, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    panel.page.edit.insertFromMimeData(data)


def test_typing_is_in_the_song_and_merges_into_one_step(panel: EditorPanel, session: SongSession) -> None:
    QTest.keyClicks(panel.page.edit, "hello you")
    assert session.document.lyrics == "hello you"
    assert session.undo_stack.count() == 1
    assert session.undo_stack.undoText() == "Typing"


def test_one_history_over_style_words_and_settings(panel: EditorPanel, session: SongSession) -> None:
    QTest.keyClicks(panel.page.edit, "words")
    panel.style_field.pick("folk")
    panel.choices._choose_cot(1)
    QTest.keyClicks(panel.page.edit, " more")
    edit = panel.page.edit
    seen = []
    while session.undo_stack.canUndo():
        QTest.keyClick(edit, _Key.Key_Z, _CTRL)
        seen.append((session.document.style, edit.words(), session.document.cot))
    assert seen == [("folk", "words", "melody"), ("folk", "words", "full"), ("", "words", "full"), ("", "", "full")]
    for _ in range(4):
        QTest.keyClick(edit, _Key.Key_Z, _CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert (session.document.style, edit.words(), session.document.cot) == ("folk", "words more", "melody")
    assert not edit.isUndoRedoEnabled()


def test_undo_puts_the_cursor_where_something_changed(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics="🤣🤣 first\nsecond\nthird\n")
    cursor_at(panel, "second")
    QTest.keyClicks(panel.page.edit, "a ")
    cursor_at(panel, "third")
    session.undo_stack.undo()
    assert panel.page.edit.words() == "🤣🤣 first\nsecond\nthird\n"
    assert panel.page.edit.textCursor().block().text() == "second"


def test_another_song_begins_at_its_top(panel: EditorPanel, load: Load) -> None:
    load(lyrics="one\ntwo")
    panel.page.edit.moveCursor(QTextCursor.MoveOperation.End)
    load(lyrics="one\ntwo\nthree")
    assert panel.page.edit.textCursor().position() == 0


def test_tags_remarks_and_wrong_tags_look_different(panel: EditorPanel, load: Load) -> None:
    load(lyrics="[Verse]\n# slowly\n🤣 words\n(Chorus)\n[chorus]")
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    tag, remark, wrong, unusual = (formats(panel, line)[0] for line in (0, 1, 3, 4))
    assert tag[0] == "[Verse]"
    assert tag[1].fontWeight() > 400
    assert remark[0] == "# slowly"
    assert remark[1].fontItalic()
    assert formats(panel, 2) == []
    assert wrong[0] == "(Chorus)"
    assert wrong[1].underlineStyle() == wave
    assert unusual[0] == "[chorus]"
    assert unusual[1].underlineStyle() == wave
    assert wrong[1].underlineColor() != unusual[1].underlineColor()
    assert remark[1].foreground().color() != tag[1].foreground().color()


def test_a_wrong_tag_behind_an_emoji_is_underlined_where_it_is(panel: EditorPanel, load: Load) -> None:
    load(lyrics="[Verse]\n🤣🤣 oh [Chorus] yes")
    assert "[Chorus]" in formats(panel, 1)[0][0]
    cursor_at(panel, "oh")
    QTest.keyClick(panel.page.edit, _Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert panel.page.edit.words() == "[Verse]\n🤣🤣 oh\n[Chorus]\nyes"


@pytest.mark.parametrize(
    ("at", "after"),
    [
        ("(Chorus)", "[Verse]\n🤣 one\n\n[Chorus]\ntwo"),
        ("Verse 2:", "\n\n[Verse 2]\nthree"),
        ("【副歌】", "three\n[Chorus]\nfour"),
        ("[chorus]", "four\n[Chorus]\nfive"),
    ],
)
def test_alt_enter_mends_the_tag_in_the_line(
    panel: EditorPanel, session: SongSession, load: Load, at: str, after: str
) -> None:
    load(lyrics=WRONG)
    cursor_at(panel, at)
    QTest.keyClick(panel.page.edit, _Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert after in session.document.lyrics
    assert session.undo_stack.undoText() == "Fix tag"
    session.undo_stack.undo()
    assert panel.page.edit.words() == WRONG


def test_alt_enter_elsewhere_mends_the_next_one_and_begins_again_at_the_top(panel: EditorPanel, load: Load) -> None:
    load(lyrics=WRONG)
    cursor_at(panel, "five")
    for _ in range(4):
        QTest.keyClick(panel.page.edit, _Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert panel.page.edit.words() == (
        "[Verse]\n🤣 one\n\n[Chorus]\ntwo\n\n[Verse 2]\nthree\n[Chorus]\nfour\n[Chorus]\nfive"
    )
    assert panel.page.edit.problem_here() is None


def test_the_button_in_the_line_mends_and_goes(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics=WRONG)
    cursor_at(panel, "(Chorus)")
    button = panel.page.edit.fix_button
    assert button.isVisible()
    assert button.text() == "Write [Chorus]"
    assert panel.page.edit.viewport().rect().contains(button.geometry())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "\n[Chorus]\ntwo" in session.document.lyrics
    assert not button.isVisible()
    assert panel.page.edit.hasFocus()


def test_the_button_comes_for_the_line_under_the_mouse(panel: EditorPanel, load: Load) -> None:
    load(lyrics=WRONG)
    edit = panel.page.edit
    block = edit.document().findBlockByNumber(3)
    QTest.mouseMove(edit.viewport(), edit.cursorRect(QTextCursor(block)).center())
    assert edit.fix_button.isVisible()
    assert edit.fix_button.offered is not None
    assert edit.fix_button.offered[0] == block


def test_the_context_menu_mends_first(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics=WRONG)
    edit = panel.page.edit
    menu = edit.context_menu(edit.cursorRect(QTextCursor(edit.document().findBlockByNumber(6))).center())
    assert [action.text() for action in menu.actions()[:2]] == ["Write [Verse 2]", "Fix all tags"]
    menu.actions()[1].trigger()
    assert session.document.lyrics.count("[Chorus]") == 2
    assert "[chorus]" in session.document.lyrics  # unusual, not wrong
    edit.context_menu(QPoint(2, 2)).actions()[0].trigger()
    assert session.document.lyrics == WRONG


def test_the_notice_counts_and_mends_all(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics=WRONG)
    notice = panel.page.notice
    assert notice.sentence == "3 tags are written so that the model does not see their sections."
    QTest.mouseClick(notice.button, Qt.MouseButton.LeftButton)
    assert session.document.lyrics.count("[Chorus]") == 2
    panel._finder.look()
    assert notice.sentence == "One tag is unusual."
    QTest.mouseClick(notice.button, Qt.MouseButton.LeftButton)
    panel._finder.look()
    assert "[chorus]" not in session.document.lyrics
    assert notice.isHidden()


def test_the_notice_says_what_is_wrong_in_the_line(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics=WRONG)
    cursor_at(panel, "(Chorus)")
    assert panel.page.notice.sentence == "Only [Chorus] in square brackets is a section; in other ones it may be sung."
    QTest.mouseClick(panel.page.notice.button, Qt.MouseButton.LeftButton)
    assert "\n[Chorus]\ntwo" in session.document.lyrics


def test_a_paste_that_is_too_long_is_whole_and_said(panel: EditorPanel, session: SongSession) -> None:
    paste(panel, "la " * 6667)  # 20,001 characters
    panel._finder.look()
    assert len(session.document.lyrics) == 20_001
    assert panel.page.edit.words() == "la " * 6667
    assert panel.page.notice.sentence == (
        "Lyrics are 20,001 characters long and the limit is 20,000; nothing was cut: shorten them or make two songs."
    )
    session.undo_stack.undo()
    panel._finder.look()
    assert session.document.lyrics == ""
    assert panel.page.notice.isHidden()


def test_five_hundred_lines_are_said(panel: EditorPanel, session: SongSession) -> None:
    paste(panel, "la\n" * 500)
    panel._finder.look()
    assert panel.page.notice.sentence.startswith("Lyrics have 500 lines and the limit is 499; nothing was cut")
    assert session.document.lyrics == "la\n" * 500


def test_a_paste_is_a_step_of_its_own_with_lines_as_lines(panel: EditorPanel, session: SongSession) -> None:
    QTest.keyClicks(panel.page.edit, "a")
    paste(panel, "\r\nb\rc\u2028d\x0be\xa0f")
    assert session.document.lyrics == "a\nb\nc\nd\ne\xa0f"
    assert panel.page.edit.blockCount() == 5
    assert session.undo_stack.undoText() == "Paste"
    assert session.undo_stack.count() == 2


def test_lyrics_with_other_line_ends_are_not_changed_by_being_shown(
    panel: EditorPanel, session: SongSession, load: Load
) -> None:
    load(lyrics="one\r\ntwo\u2028three\xa0four")
    assert panel.page.edit.words() == "one\ntwo\nthree\xa0four"
    assert session.document.lyrics == "one\r\ntwo\u2028three\xa0four"
    assert not session.is_modified
    QTest.keyClicks(panel.page.edit, "x")
    assert session.document.lyrics == "xone\ntwo\nthree\xa0four"


def test_shift_enter_is_a_line_like_any(panel: EditorPanel, session: SongSession) -> None:
    QTest.keyClicks(panel.page.edit, "a")
    QTest.keyClick(panel.page.edit, _Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(panel.page.edit, "b")
    assert session.document.lyrics == "a\nb"


def test_an_input_method_writes_only_what_it_commits(panel: EditorPanel, session: SongSession) -> None:
    begun = QInputMethodEvent("ni", [])
    QApplication.sendEvent(panel.page.edit, begun)
    assert session.document.lyrics == ""
    ended = QInputMethodEvent()
    ended.setCommitString("你好🤣")
    QApplication.sendEvent(panel.page.edit, ended)
    assert session.document.lyrics == "你好🤣"
    assert panel.page.edit.cursor_offset() == 3
    QTest.keyClick(panel.page.edit, _Key.Key_Backspace)
    assert session.document.lyrics == "你好"


def test_right_to_left_words_and_layout(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(lyrics="[Verse]\nשלום 🤣 עולם\n(פזמון)\nمرحبا")
    panel.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    panel.resize(560, 620)
    edit = panel.page.edit
    assert edit.column.geometry().right() < edit.viewport().geometry().left()
    cursor_at(panel, "(פזמון)")
    assert edit.fix_button.isVisible()
    assert edit.viewport().rect().contains(edit.fix_button.geometry())
    edit.fix_here()
    assert session.document.lyrics == "[Verse]\nשלום 🤣 עולם\n[Chorus]\nمرحبا"


def test_files_are_left_to_the_window(panel: EditorPanel) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/song.txt")])
    data.setText("file:///song.txt")
    assert not panel.page.edit.canInsertFromMimeData(data)
    data.setUrls([QUrl("https://example.org/words")])
    assert panel.page.edit.canInsertFromMimeData(data)


def test_syllables_stand_beside_their_lines(panel: EditorPanel, load: Load, qtbot: QtBot) -> None:
    load(style="English", lyrics="[Verse]\nwalking down the road\n# remark\n\n你好世界\n\nlove")
    cursor_at(panel, "love")
    assert panel.page.edit.column.shown_counts() == ["", "5", "", "", "4", "", "1 syl."]
    cursor_at(panel, "walking")
    QTest.keyClick(panel.page.edit, _Key.Key_Return)  # a line above does not put the others out of place
    assert panel.page.edit.column.shown_counts() == ["", "", "5 syl.", "", "", "4", "", "1"]


def test_fields_keep_what_they_have_while_hidden(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(style="folk, warm", lyrics="[Verse]\nwords")
    QTest.keyClicks(panel.page.edit, "more ")
    panel.hide()
    panel.show()
    assert panel.page.edit.words() == "more [Verse]\nwords"
    assert panel.style_field.pieces() == ["folk", "warm"]
    assert session.undo_stack.canUndo()


def test_another_theme_colours_the_words_anew_and_changes_nothing(
    panel: EditorPanel, session: SongSession, load: Load, qapp: QApplication
) -> None:
    was = qapp.palette(), qapp.styleSheet()
    try:
        for palette in (LIGHT, DARK):
            put_on(qapp, palette)
            load(lyrics="[Verse]\n# slowly\n(Chorus)\nwords\n[Outro]")
            assert formats(panel, 0)[0][1].foreground().color() == QColor(palette.accent_text)
        put_on(qapp, LIGHT)
        qapp.processEvents()
        assert formats(panel, 0)[0][1].foreground().color() == QColor(LIGHT.accent_text)
        assert formats(panel, 1)[0][1].foreground().color() == QColor(LIGHT.quiet)
        assert formats(panel, 2)[0][1].underlineColor() == QColor(LIGHT.bad)
        assert panel.page.sections.item(2).foreground().color() == QColor(LIGHT.quiet)
        assert not session.is_modified
    finally:
        qapp.setPalette(was[0])
        qapp.setStyleSheet(was[1])
