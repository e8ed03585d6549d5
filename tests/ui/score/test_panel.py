"""The score panel with a user at it: choosing, editing, typing, repairs, sections, files, plans."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit

from tests.ui.score.user import Answers, drawn, press, score_text
from yue2_desktop.score.parser import parse
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore, ScoreOrigin
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import put_on
from yue2_desktop.ui.theme.palette import DARK, LIGHT

Open = Callable[[str], None]
_K = Qt.Key


def text_of(session: SongSession) -> str:
    assert session.document.score is not None
    return session.document.score.text


def test_without_a_score_it_says_how_to_get_one(panel: ScorePanel, session: SongSession, qtbot) -> None:
    assert panel.pages.currentWidget() is panel.empty
    assert not panel.text.isVisible()
    with qtbot.waitSignal(panel.write_score_requested):
        panel.empty.write.click()
    panel.empty.type.click()
    assert panel.focusWidget() is panel.text.edit
    drawn(panel, qtbot)
    assert parse(text_of(session)).diagnostics == ()
    assert panel.pages.currentWidget() is panel.notation
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: panel.pages.currentWidget() is panel.empty)


def test_only_pages_in_view_are_drawn(panel: ScorePanel, open_score: Open, qtbot) -> None:
    open_score("10")
    qtbot.waitUntil(lambda: len(panel.notation.pictures) > 0)
    assert len(panel.notation.pictures) < panel.notation.sheet.drawn.page_count
    seen = len(panel.notation.pictures)
    panel.commands.choose_section(len(panel.notation.sheet.parsed.score.sections) - 1)
    qtbot.waitUntil(lambda: len(panel.notation.pictures) > seen)
    assert panel.notation.verticalScrollBar().value() > 1000


def test_a_click_on_a_note_selects_its_text_and_back(panel: ScorePanel, open_score: Open, qtbot) -> None:
    open_score("05")
    panel.text.open()
    sheet = panel.notation.sheet
    wanted = next(one for one in sheet.score_map.elements if one.kind.value == "n")
    place = panel.notation.place_of(wanted).center().toPoint()
    QTest.mouseClick(panel.notation.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.notation.selected == wanted
    assert panel.text.edit.textCursor().selectedText() == "B8"
    assert panel.notation.accessibleDescription() == "B4, 1 quarters, bar 1, Vocal"
    panel.text.edit.setFocus()
    qtbot.waitUntil(panel.text.edit.hasFocus)
    for _ in range(2):
        QTest.keyClick(panel.text.edit, _K.Key_Right)
    assert panel.notation.selected.span.column == wanted.span.end


def test_keys_edit_the_chosen_note(panel: ScorePanel, session: SongSession, open_score: Open, qtbot) -> None:
    open_score("05")
    before = text_of(session)
    press(panel, _K.Key_Right, _K.Key_Right, _K.Key_Up)
    assert '"E"z8=c8B8' in text_of(session)
    assert session.undo_stack.undoText() == "Change B4 to C5 in bar 1"
    press(panel, _K.Key_Up, modifiers=Qt.KeyboardModifier.ShiftModifier)
    press(panel, _K.Key_Minus)
    assert '"E"z8=c\'6z2B8' in text_of(session)
    press(panel, _K.Key_Delete)
    assert "=c'" not in text_of(session)
    for _ in range(4):
        press(panel, _K.Key_Z, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert text_of(session) == before
    drawn(panel, qtbot)


def test_a_refused_edit_says_why_and_changes_nothing(panel: ScorePanel, session: SongSession, open_score: Open) -> None:
    open_score("05")
    before = text_of(session)
    press(panel, _K.Key_Up)
    assert panel.sentence.startswith("Choose a note first")
    press(panel, _K.Key_Right, _K.Key_Plus)
    assert panel.sentence == "Only a note can be given another length; a rest follows from its neighbours."
    assert text_of(session) == before
    press(panel, _K.Key_Right)
    assert panel.sentence == ""


def test_enter_edits_the_chord(panel: ScorePanel, session: SongSession, open_score: Open, qtbot) -> None:
    open_score("05")
    press(panel, _K.Key_Right, _K.Key_Return)
    assert panel.chord.isVisible()
    assert panel.chord.text() == "E"
    panel.chord.setText("Emaj7")
    QTest.keyClick(panel.chord, _K.Key_Return)
    assert '"Emaj7"z8B8' in text_of(session)
    assert not panel.chord.isVisible()
    drawn(panel, qtbot)
    press(panel, _K.Key_Return)
    panel.chord.setText("nothing")
    QTest.keyClick(panel.chord, _K.Key_Up)
    assert '"Emaj7"z8B8' in text_of(session)
    QTest.keyClick(panel.chord, _K.Key_Return)
    assert "nothing" in panel.sentence
    assert not panel.chord.isVisible()


def test_typing_is_one_step_and_is_read_and_drawn(
    panel: ScorePanel, session: SongSession, open_score: Open, qtbot
) -> None:
    open_score("05")
    panel.text.open()
    edit = panel.text.edit
    edit.setFocus()
    edit.moveCursor(edit.textCursor().MoveOperation.End)
    before = text_of(session)
    QTest.keyClicks(edit, "xyz")
    assert session.undo_stack.count() == 1
    qtbot.waitUntil(lambda: bool(edit.diagnostics))
    assert panel.text.faults.text() != ""
    drawn(panel, qtbot)
    session.undo_stack.undo()
    assert edit.words() == before
    qtbot.waitUntil(lambda: not edit.diagnostics)


def test_repairs_one_by_one_and_all(panel: ScorePanel, session: SongSession, open_score: Open, qtbot) -> None:
    open_score("20")
    edit = panel.text.edit
    assert [one.line for one in edit.diagnostics] == [16, 16]
    assert len(panel.notation.sheet.flawed) == 2
    panel.text.repair.click()
    assert panel.sentence.startswith("No repair here leaves what sounds as it is")
    panel.text.open()
    edit.select_span(_span(edit.diagnostics[0]))
    actions = [action.text() for action in edit.context_menu(edit.cursorRect().center()).actions()]
    repair = panel.edits.repair_of(edit.diagnostics[0])
    assert repair is not None
    assert actions[0] == repair.description
    edit.setFocus()
    QTest.keyClick(edit, _K.Key_Return, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: len(edit.diagnostics) == 1)
    edit.repair_here()
    qtbot.waitUntil(lambda: not edit.diagnostics)
    assert parse(text_of(session)).errors == ()


def _span(diagnostic):
    from yue2_desktop.score.elements import Span

    return Span(diagnostic.line, diagnostic.column, diagnostic.end_column)


def test_what_is_safe_is_repaired_by_one_button(
    panel: ScorePanel, session: SongSession, open_score: Open, qtbot
) -> None:
    open_score("30")
    count = len(panel.edits.parsed().diagnostics)
    assert count > 0
    panel.text.repair.click()
    qtbot.waitUntil(lambda: len(panel.text.edit.diagnostics) < count)
    assert "\r" not in text_of(session)
    assert session.undo_stack.undoText().startswith("Repair all that is safe")


def test_a_key_typed_by_hand_offers_to_transpose(
    panel: ScorePanel, session: SongSession, open_score: Open, qtbot
) -> None:
    """Row 91 of the user reports: changing K: does not transpose."""
    open_score("01")
    text = text_of(session)
    key = panel.edits.parsed().score.header.key.name
    panel.edits.type(text.replace(f"K:{key}", "K:D", 1), "Type", None)
    qtbot.waitUntil(panel.text.notice.button.isVisible)
    assert panel.text.notice.button.text() == "Transpose"
    panel.text.notice.button.click()
    assert panel.edits.parsed().score.header.key.name == "D"
    assert panel.edits.parsed().diagnostics == ()
    assert [n.pitch for b in panel.edits.parsed().score.vocal_bars for n in b.notes] != [
        n.pitch for b in parse(text).score.vocal_bars for n in b.notes
    ]


def test_toolbar_transposes_and_sets_the_tempo(
    panel: ScorePanel, session: SongSession, open_score: Open, qtbot
) -> None:
    open_score("05")
    before = text_of(session)
    panel.bar.key.menu().aboutToShow.emit()
    up = panel.bar.key.menu().actions()[0].menu()
    assert up.actions()[1].text() == "+2 to F♯ major"
    up.actions()[1].trigger()
    assert "K:F#" in text_of(session)
    qtbot.waitUntil(lambda: panel.bar.key.text() == "F♯ major")
    panel.score.transpose(-2, 0)
    assert text_of(session) == before
    panel.bar.tempo.setValue(90)
    assert "Q:1/4=90" in text_of(session)
    panel.bar.tempo.stepUp()
    assert "Q:1/4=91" in text_of(session)
    session.undo_stack.undo()
    assert text_of(session) == before


def test_sections(panel: ScorePanel, session: SongSession, open_score: Open) -> None:
    open_score("05")

    def labels() -> list[str]:
        return [one.label for one in panel.edits.parsed().score.sections]

    panel.commands.choose_section(1)
    assert panel.bar.sections.text() == "Chorus"
    panel.bar.sections.menu().aboutToShow.emit()
    actions = {action.text(): action for action in panel.bar.sections.menu().actions()}
    actions["Duplicate Chorus"].trigger()
    assert labels() == ["verse", "chorus", "chorus", "bridge", "outro"]
    panel.score.delete_section(2)
    panel.score.insert_section(0, "intro")
    assert labels() == ["intro", "verse", "chorus", "bridge", "outro"]
    assert parse(text_of(session)).diagnostics == ()


def test_instrumental_and_chords_away(panel: ScorePanel, session: SongSession, open_score: Open, qtbot) -> None:
    open_score("05")
    panel.score.strip_chords()
    assert '"' not in text_of(session).split("K:E")[1]
    panel.score.make_instrumental()
    assert not any(bar.notes for bar in panel.edits.parsed().score.vocal_bars)
    drawn(panel, qtbot)
    assert "may still have a voice" in panel.sentence


def test_foreign_abc_becomes_a_score(panel: ScorePanel, session: SongSession, qtbot) -> None:
    session.load(SongDocument().with_score_text(score_text("32")))
    assert panel.pages.currentWidget() is panel.undrawn
    assert "ordinary ABC" in panel.undrawn.sentence
    assert panel.text.edit.isVisible()
    panel.undrawn.cure.click()
    drawn(panel, qtbot)
    assert panel.edits.parsed().score.bar_count > 0


def test_every_bad_score_is_shown_somehow(panel: ScorePanel, session: SongSession, qtbot) -> None:
    """Row 93 of the user reports: a broken score falls back to its text with line and column."""
    for number in ("21", "24", "29", "33"):
        session.load(SongDocument().with_score_text(score_text(number) or "%"))
        parsed = panel.edits.parsed()
        if parsed is not None and parsed.score.bar_count:
            drawn(panel, qtbot)
            assert panel.pages.currentWidget() is panel.notation
        elif parsed is not None:
            assert f"(line {parsed.diagnostics[0].line})" in panel.undrawn.sentence
        assert panel.text.edit.words() == ("" if parsed is None else panel.text.edit.words())


def test_export_and_import(
    panel: ScorePanel, session: SongSession, open_score: Open, answers: Answers, tmp_path: Path, qtbot
) -> None:
    open_score("05")
    for suffix in (".mid", ".musicxml", ".mei", ".abc", ".pdf", ".svg", ".png"):
        answers.export = tmp_path / f"song{suffix}"
        panel.score.export(suffix)
        qtbot.waitUntil(lambda: panel.sentence.startswith("Written to"), timeout=10_000)
        panel._say("")
    assert answers.asked[0] == "Song.mid"
    assert {path.suffix for path in tmp_path.iterdir()} == {
        ".mid", ".musicxml", ".mei", ".abc", ".pdf", ".svg", ".png",
    }  # fmt: skip
    assert (tmp_path / "song.abc").read_text(encoding="utf-8") == text_of(session)
    answers.source = tmp_path / "song.mid"
    panel.score.fetch()
    qtbot.waitUntil(lambda: session.document.score.origin is ScoreOrigin.IMPORTED, timeout=10_000)
    assert session.document.score.source == "song.mid"
    answers.source = tmp_path / "none.mid"
    panel.score.fetch()
    qtbot.waitUntil(lambda: "none.mid" in panel.sentence, timeout=10_000)


def test_plans_to_choose_from_and_the_way_back(panel: ScorePanel, session: SongSession, qtbot) -> None:
    one = PlannedScore("t1", score_text("01"), session.document.asked, 41)
    two = PlannedScore("t2", score_text("05"), session.document.asked, 42, truncated=True)
    panel.set_plans([one, two])
    assert [panel.plan_line.plans.itemText(n) for n in range(2)] == ["Plan 1 · seed 41", "Plan 2 · seed 42, cut short"]
    panel.plan_line.plans.setCurrentIndex(1)
    panel.plan_line.plans.activated.emit(1)
    drawn(panel, qtbot)
    assert text_of(session) == two.text
    panel.bar.tempo.setValue(90)
    qtbot.waitUntil(lambda: panel.plan_line.words.text() == "Changed since the plan: tempo 120 to 90")
    panel.plan_line.revert.click()
    assert session.document.score.is_unchanged_plan
    qtbot.waitUntil(panel.plan_line.revert.isHidden)


def test_zoom_keeps_the_middle_and_lays_out_again(panel: ScorePanel, open_score: Open, qtbot) -> None:
    open_score("05")
    narrow = panel.notation.paper_width()
    panel.text.larger.click()
    assert panel.text.zoom.text() == "120 %"
    assert panel.notation.paper_width() < narrow
    qtbot.waitUntil(lambda: panel.notation.sheet.drawn.parts[0].page.width < narrow * 100)
    panel.text.smaller.click()
    assert panel.notation.zoom == 1.0


def test_every_control_has_a_name_and_a_place_in_the_tab_order(panel: ScorePanel, open_score: Open) -> None:
    open_score("20")
    panel.text.open()
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QPlainTextEdit)
    controls = [one for kind in kinds for one in panel.findChildren(kind) if one.isVisible()]
    inside = [one for one in controls if not isinstance(one.parent(), QAbstractSpinBox)]
    assert len(inside) >= 9
    assert [one for one in (*inside, panel.notation) if not one.accessibleName()] == []
    assert [one for one in inside if not one.focusPolicy() & Qt.FocusPolicy.TabFocus] == []
    order, at = [], panel.bar.sections
    for _ in range(60):
        if at.isVisible() and at.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(at, QLineEdit):
            order.append(at)
        at = at.nextInFocusChain()
    wanted = [panel.bar.sections, panel.bar.tempo, panel.bar.more, panel.notation, panel.text.fold, panel.text.edit]
    places = [order.index(one) for one in wanted]
    assert places == sorted(places)


def test_long_labels_do_not_widen_the_panel(panel: ScorePanel, session: SongSession, open_score: Open, qtbot) -> None:
    open_score("05")
    before = panel.minimumSizeHint().width()
    panel.edits.put(text_of(session).replace("% verse", "% " + "a very long name " * 4), "Rename")
    drawn(panel, qtbot)
    assert panel.minimumSizeHint().width() < before + 240
    assert panel.notation.viewport().rect().contains(QPoint(0, 0))


def test_another_theme_draws_with_other_ink(panel: ScorePanel, open_score: Open, qapp: QApplication, qtbot) -> None:
    open_score("09")
    assert LIGHT.text in panel.notation.sheet.drawn.page(0).svg
    put_on(qapp, DARK)
    qtbot.waitUntil(lambda: DARK.text in panel.notation.sheet.drawn.page(0).svg, timeout=10_000)
    assert LIGHT.text not in panel.notation.sheet.drawn.page(0).svg
