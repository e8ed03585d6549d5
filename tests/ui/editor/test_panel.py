"""The editor as a whole: outline, insertions, length and tokens, choices, the empty page, keyboard, speed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.pace import pace
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.seeds import SeedKind, SeedPolicy
from yue2_desktop.ui.editor.material import Material
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.editor.tokens import Tokens
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.metrics import GRID

Load = Callable[..., None]
_Key = Qt.Key
SONG = "first words\n\n[Verse]\n🤣 one\n\n[Interlude]\n\n[Chorus]\ntwo\nthree"


def rows(panel: EditorPanel) -> list[str]:
    sections = panel.page.sections
    return [sections.item(row).text() for row in range(sections.count())]


def current_line(panel: EditorPanel) -> str:
    return panel.page.edit.textCursor().block().text()


def test_the_outline_lists_sections_and_follows_the_cursor(panel: EditorPanel, load: Load) -> None:
    load(lyrics=SONG)
    assert rows(panel) == ["Opening words", "Verse", "Interlude", "Chorus"]
    assert panel.page.sections.currentRow() == 0
    panel.page.edit.go_to(SONG.index("three"))
    assert current_line(panel) == "three"
    assert panel.page.sections.currentRow() == 3


def test_a_click_and_arrows_jump(panel: EditorPanel, load: Load) -> None:
    load(lyrics=SONG)
    sections = panel.page.sections
    QTest.mouseClick(
        sections.viewport(), Qt.MouseButton.LeftButton, pos=sections.visualItemRect(sections.item(3)).center()
    )
    assert current_line(panel) == "[Chorus]"
    assert panel.page.edit.hasFocus()
    sections.setFocus()
    QTest.keyClick(sections, _Key.Key_Up)
    assert current_line(panel) == "[Interlude]"
    assert sections.hasFocus()
    QTest.keyClick(sections, _Key.Key_Return)
    assert panel.page.edit.hasFocus()


def test_typing_below_does_not_move_the_cursor(panel: EditorPanel, load: Load) -> None:
    load(lyrics=SONG)
    panel.page.edit.go_to(len(SONG))
    for text in ("!", "[Outro]"):
        QTest.keyClicks(panel.page.edit, text)
        QTest.keyClick(panel.page.edit, _Key.Key_Return)
    panel._finder.look()
    assert rows(panel)[-1] == "Outro"
    assert panel.page.edit.cursor_offset() == len(panel.page.edit.words())


def test_a_narrow_page_and_one_without_sections_are_all_for_the_words(panel: EditorPanel, load: Load) -> None:
    assert panel.page.sections.isHidden()
    load(lyrics=SONG)
    assert panel.page.sections.isVisible()
    panel.resize(340, 620)
    assert panel.page.sections.isHidden()


def test_buttons_insert_sections_as_one_step(panel: EditorPanel, session: SongSession) -> None:
    buttons = panel.page.buttons.findChildren(QToolButton)
    assert [button.text() for button in buttons[:4]] == ["Verse", "Pre-Chorus", "Chorus", "Bridge"]
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    QTest.keyClicks(panel.page.edit, "la")
    QTest.keyClick(buttons[2], _Key.Key_Space)
    QTest.keyClicks(panel.page.edit, "lo")
    QTest.keyClick(buttons[0], _Key.Key_Space)
    assert session.document.lyrics == "[Verse]\nla\n\n[Chorus]\nlo\n\n[Verse 2]\n"
    assert panel.page.edit.hasFocus()
    buttons[4].menu().actions()[0].trigger()
    assert session.document.lyrics.endswith("[Intro]\n")
    session.undo_stack.undo()
    assert session.document.lyrics.endswith("[Verse 2]\n")


def test_length_is_an_estimate_until_there_is_a_score(panel: EditorPanel, load: Load, qtbot: QtBot) -> None:
    load(style="English, 92 BPM", lyrics="[Verse]\n" + "walking down the silver road\n" * 40)
    assert panel.length_text == f"about {panel._facts.length_text}"
    with qtbot.waitSignal(panel._finder.found):
        panel.set_score_seconds(158.0)
    assert panel.length_text == "2:38, from the score"
    with qtbot.waitSignal(panel._finder.found):
        panel.set_score_seconds(None)
    assert panel.length_text.startswith("about ")


def test_nothing_is_said_about_the_length_of_no_words(panel: EditorPanel, load: Load) -> None:
    load(style="chamber music", lyrics="[Instrumental]\n")
    assert panel.length_text == ""


def test_tokens_are_bounded_until_somebody_counts_them(panel: EditorPanel, load: Load, qtbot: QtBot) -> None:
    assert panel.token_text == ""
    load(style="folk", lyrics="[Verse]\n雪が降る\n")
    qtbot.waitUntil(lambda: panel.token_text.startswith("at most "))
    least = len("folk[Verse]雪が降る".encode())
    assert least < int(panel.token_text.split()[2].replace(",", "")) < least + 200
    assert panel.token_text.endswith(" of 24,576 tokens")
    # A bound of a long text is above what fits, which is no reason to alarm anybody.
    load(style="folk", lyrics="[Verse]\n" + "雪が降る町にひとりで\n" * 400)
    qtbot.waitUntil(lambda: "at most 1" in panel.token_text)
    load(style="folk", lyrics="[Verse]\n" + "雪が降る町にひとりで雪が降る町にひとりで\n" * 480)
    qtbot.waitUntil(lambda: int(panel.token_text.split()[2].replace(",", "")) > 24_576)
    assert panel.page.notice.sentence == ""


def test_tokens_are_counted_in_a_thread_of_the_pool(panel: EditorPanel, load: Load, qtbot: QtBot) -> None:
    threads: list[bool] = []
    sung: list[str] = []

    def count(document: SongDocument) -> Tokens:
        threads.append(threading.current_thread() is threading.main_thread())
        sung.append(document.sung_lyrics)
        return Tokens(17)

    load(style="folk", lyrics="[Verse]\n# remark\nwords")
    panel.set_token_count(count)
    qtbot.waitUntil(lambda: panel.token_text == "17 of 24,576 tokens")
    assert not any(threads)
    assert set(sung) == {"[Verse]\nwords"}
    panel.set_token_count(None)
    assert panel.token_text == ""


def test_the_limit_is_left_to_the_tooltip_where_it_would_take_another_row(
    panel: EditorPanel, load: Load, qtbot: QtBot
) -> None:
    load(lyrics="words")
    panel.set_token_count(lambda document: Tokens(12_345))
    panel.resize(560, 440)
    qtbot.waitUntil(lambda: panel.token_text == "12,345 of 24,576 tokens")
    panel.resize(380, 440)
    assert panel.token_text == "12,345 tokens"
    assert "24,576" in panel._token_label.toolTip()
    panel.resize(560, 440)
    assert panel.token_text == "12,345 of 24,576 tokens"


def test_a_late_count_of_an_old_text_is_dropped(
    panel: EditorPanel, session: SongSession, load: Load, qtbot: QtBot
) -> None:
    gates = {"old": threading.Event(), "old new": threading.Event()}
    asked: list[str] = []
    shown: list[object] = []

    def count(document: SongDocument) -> Tokens:
        asked.append(document.lyrics)
        assert gates[document.lyrics].wait(20)
        return Tokens(1000 if document.lyrics == "old" else 2000)

    load(lyrics="old")
    panel.set_token_count(count)
    panel._finder.counted.connect(shown.append)
    qtbot.waitUntil(lambda: asked == ["old"])
    session.apply("Typing", SongDocument(id=session.document.id, lyrics="old new"))
    gates["old"].set()
    qtbot.waitUntil(lambda: asked == ["old", "old new"])
    assert shown == []
    gates["old new"].set()
    qtbot.waitUntil(lambda: panel.token_text == "2,000 of 24,576 tokens")


def test_a_score_or_none_before_the_song_changes_the_count(
    panel: EditorPanel, session: SongSession, load: Load, qtbot: QtBot
) -> None:
    load(lyrics="words")
    panel.set_token_count(lambda document: Tokens(100 if document.score is None else 900))
    qtbot.waitUntil(lambda: panel.token_text.startswith("100 "))
    session.apply("Score", session.document.with_score_text("X:1\nK:C\n"))
    qtbot.waitUntil(lambda: panel.token_text.startswith("900 "))


def test_a_count_that_fails_says_nothing(panel: EditorPanel, load: Load, qtbot: QtBot) -> None:
    def count(document: SongDocument) -> Tokens:
        raise OSError("no tokenizer")

    load(lyrics="words")
    panel.set_token_count(count)
    with qtbot.waitSignal(panel._finder._tokens.failed):
        panel._finder.look()
    assert panel.token_text == ""


@pytest.mark.parametrize("height", [320, 364, 415, 620])
def test_the_lyrics_keep_their_distance_from_the_choices(
    panel: EditorPanel, load: Load, qtbot: QtBot, height: int
) -> None:
    """In each room that there is."""
    load(lyrics=SONG)
    panel.resize(520, height)
    qtbot.waitUntil(lambda: panel.height() == height)
    panel.layout().activate()
    box = panel.page.edit.mapTo(panel, panel.page.edit.rect().bottomLeft()).y() + 1
    assert panel.choices.y() - box == GRID


def test_words_that_leave_no_room_are_said(panel: EditorPanel, session: SongSession, load: Load, qtbot: QtBot) -> None:
    load(lyrics="[Verse]\nwords")
    panel.set_token_count(lambda document: Tokens(20_500))
    qtbot.waitUntil(lambda: "does not fit" in panel.page.notice.sentence)
    # A score that is there already needs no room of its own.
    session.apply("Score", session.document.with_score_text("X:1\nK:C\n"))
    qtbot.waitUntil(lambda: panel.page.notice.sentence == "")


def test_the_score_that_is_written_is_chosen_in_plain_words(panel: EditorPanel, session: SongSession) -> None:
    box = panel.choices._cot
    assert [box.itemText(index) for index in range(3)] == ["With chords", "Melody only", "None"]
    box.setFocus()
    QTest.keyClick(box, _Key.Key_Down)
    assert session.document.cot == "melody"
    session.undo_stack.undo()
    assert box.currentIndex() == 0


def test_the_seed_is_typed_rolled_and_its_kind_chosen(panel: EditorPanel, session: SongSession) -> None:
    line = panel.choices.seed_line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "42x7")
    assert session.document.seed == SeedPolicy(SeedKind.COUNTING, 427)
    assert session.undo_stack.count() == 1
    QTest.keyClick(line, _Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.text() == "831001"
    QTest.mouseClick(panel.choices._fresh, Qt.MouseButton.LeftButton)
    assert session.document.seed.value != 831001
    assert line.text() == str(session.document.seed.value)
    panel.choices._choose_kind(1)
    assert session.document.seed.kind is SeedKind.NEW
    assert line.isReadOnly()


def test_no_number_above_the_seeds_can_be_typed(panel: EditorPanel, session: SongSession) -> None:
    line = panel.choices.seed_line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(2**63))
    assert session.document.seed.value == 2**63 // 10
    line.selectAll()
    QTest.keyClick(line, _Key.Key_Delete)
    assert session.document.seed.value == 2**63 // 10
    panel.focus_lyrics()
    assert line.text() == str(2**63 // 10)


def test_a_seed_that_moves_on_by_a_render_is_shown(panel: EditorPanel, session: SongSession) -> None:
    session.amend(SongDocument(id=session.document.id, seed=SeedPolicy(SeedKind.COUNTING, 7)))
    assert panel.choices.seed_line.text() == "7"


def test_asked_for_without_words_it_may_still_sing(panel: EditorPanel, session: SongSession, load: Load) -> None:
    load(style="folk, female vocal, piano", lyrics="[Instrumental]\n")
    notice = panel.page.notice
    assert "may still sing" in notice.sentence
    assert notice.button.text() == "Take the voice out"
    QTest.mouseClick(notice.button, Qt.MouseButton.LeftButton)
    assert session.document.style == "folk, piano"
    load(style="folk, piano", lyrics="[Instrumental]\n")
    assert "may still sing" in notice.sentence
    assert notice.button.isHidden()
    load(style="female vocal", lyrics="[Verse]\n# four lines\n")
    assert notice.isHidden()


def test_the_empty_page_is_reached_by_tab(panel: EditorPanel) -> None:
    buttons = panel.page.empty.findChildren(QAbstractButton)
    assert len(buttons) == 3
    for button in buttons:
        panel.focusNextPrevChild(True)
        assert QApplication.focusWidget() is button
        assert button.accessibleName().startswith("Start from the example ")


def test_the_empty_page_starts_an_example(panel: EditorPanel, session: SongSession, material: Material) -> None:
    empty = panel.page.empty
    assert empty.isVisible()
    assert panel.page.edit.viewport().rect().contains(empty.geometry())
    before = session.document.id
    buttons = empty.findChildren(QAbstractButton)
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    example = material.examples[0]
    assert (session.document.title, session.document.lyrics) == (example.title, example.lyrics)
    assert session.document.score == example.score
    assert session.document.id == before
    assert empty.isHidden()
    session.undo_stack.undo()
    assert session.document.is_blank
    assert empty.isVisible()


def test_typing_hides_the_empty_page(panel: EditorPanel) -> None:
    QTest.keyClicks(panel.page.edit, "a")
    assert panel.page.empty.isHidden()


def test_a_structure_is_one_step_and_takes_the_old_score_away(
    panel: EditorPanel, session: SongSession, material: Material
) -> None:
    session.load(material.examples[0])
    action = next(one for one in panel._start.menu().actions() if one.text() == material.templates[0].title)
    action.trigger()
    assert session.document.lyrics == material.templates[0].lyrics
    assert session.document.score is None
    session.undo_stack.undo()
    assert session.document.score == material.examples[0].score


def test_every_control_has_a_name_and_is_reached_by_tab_in_reading_order(panel: EditorPanel, load: Load) -> None:
    load(style="folk, warm", lyrics="[Verse]\nwords\n(Chorus)\nmore")
    panel.page.edit.go_to(16)
    assert panel.page.edit.fix_button.isVisible()
    wanted = [
        widget
        for kind in (QAbstractButton, QLineEdit, QComboBox)
        for widget in panel.findChildren(kind)
        if widget.isVisible() and widget.isEnabled()
    ] + [panel.page.sections, panel.page.edit]
    for widget in wanted:
        assert widget.accessibleName() or getattr(widget, "text", str)(), widget
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget
    panel._start.setFocus()
    reached: list[QWidget] = []
    while (focus := QApplication.focusWidget()) is not None and focus not in reached:
        reached.append(focus)
        panel.focusNextPrevChild(True)
    assert set(reached) == set(wanted)
    inside = panel.page.edit.fix_button
    tops = [widget.mapTo(panel, widget.rect().center()).y() for widget in reached if widget is not inside]
    assert reached[reached.index(panel.page.edit) + 1] is inside
    assert all(later > earlier - 16 for earlier, later in pairwise(tops)), reached


@pytest.mark.parametrize("width", [360, 520, 900])
def test_nothing_is_clipped(panel: EditorPanel, load: Load, width: int) -> None:
    load(style="folk, warm", lyrics="[Verse]\nwords\n(Chorus)\nmore")
    panel.resize(width, 620)
    QApplication.processEvents()
    for widget in (*panel.findChildren(QAbstractButton), *panel.findChildren(QComboBox)):
        if widget.isVisible() and widget.window() is panel:
            assert panel.rect().contains(widget.mapTo(panel, widget.rect().topLeft())), widget
            assert panel.rect().contains(widget.mapTo(panel, widget.rect().bottomRight())), widget


@pytest.mark.usefixtures("themed")
def test_it_fits_the_smallest_window_with_some_lines_in_view(
    panel: EditorPanel, session: SongSession, load: Load, material: Material
) -> None:
    panel.resize(425, 377)  # what it gets of 1024 by 640
    load(style=material.examples[0].style, lyrics=material.examples[0].lyrics)
    assert panel.minimumSizeHint().width() <= 320
    assert panel.layout().totalMinimumHeightForWidth(425) <= 377
    assert panel.page.edit.viewport().height() >= 5 * panel.page.edit.fontMetrics().lineSpacing()
    assert panel.page.buttons.isHidden()
    panel.page.notice.say("A sentence that is so long that it takes two lines in so narrow a page, at least.")
    panel.layout().activate()
    assert panel.layout().totalMinimumHeightForWidth(425) <= 377
    panel._insert.menu().actions()[2].trigger()
    assert "[Chorus]" in session.document.lyrics.splitlines()[:4]
    panel.resize(425, 620)
    assert panel.page.buttons.isVisible()
    assert panel._insert.isHidden()


@pytest.mark.usefixtures("themed")
def test_with_a_notice_above_the_smallest_window_everything_still_has_its_place(
    panel: EditorPanel, load: Load, material: Material
) -> None:
    panel.resize(425, 315)  # what is left of 1024 by 640 below a notice of two lines
    load(style=material.examples[0].style, lyrics=material.examples[0].lyrics)
    panel.set_token_count(lambda document: Tokens(12_345))
    panel.page.notice.say(
        "A sentence that is so long that it takes two lines in so narrow a page, at least.", cure="Fix"
    )
    panel.layout().activate()
    assert panel.layout().totalMinimumHeightForWidth(425) <= 315
    parts = (panel.style_field, panel._words_row, panel.page, panel.choices)
    assert all(one.geometry().bottom() < two.geometry().top() for one, two in pairwise(parts))
    assert panel.choices.geometry().bottom() < 315
    assert panel.choices.height() >= panel.choices.heightForWidth(panel.choices.width())
    assert panel.page.edit.viewport().height() >= 3 * panel.page.edit.fontMetrics().lineSpacing()
    panel.resize(425, 620)
    assert panel.choices._fresh.isVisible()


def test_a_keystroke_in_a_long_lyric_is_cheap(panel: EditorPanel, load: Load) -> None:
    lines = ["[Verse]" if n % 10 == 0 else f"夜の街を歩いている 🤣 {n} with you" for n in range(499)]
    load(style="Japanese, folk", lyrics="\n".join(lines))
    panel.page.edit.go_to(4000)
    panel._finder._pause.stop()
    times = []
    for _ in range(40):
        begun = time.process_time()
        QTest.keyClick(panel.page.edit, _Key.Key_A)
        times.append(time.process_time() - begun)
    # Time of the processor, so that other work on the machine counts little; 0.8 ms on an idle one.
    assert median(times) < 0.005 * pace()
