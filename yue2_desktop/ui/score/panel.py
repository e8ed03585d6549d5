"""The score panel: notation and text of one score, over the one history of the session."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from yue2_desktop.audio.sink import NullSink
from yue2_desktop.score.engraving.score_map import ScoreElement
from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.score.chord_entry import ChordEntry
from yue2_desktop.ui.score.described import described
from yue2_desktop.ui.score.drawing import Drawing
from yue2_desktop.ui.score.notation import NotationView
from yue2_desktop.ui.score.note_commands import NoteCommands
from yue2_desktop.ui.score.note_keys import Ask
from yue2_desktop.ui.score.parts import Drawn
from yue2_desktop.ui.score.places import EmptyScore, Undrawn
from yue2_desktop.ui.score.plan_line import PlanLine
from yue2_desktop.ui.score.preview_control import PreviewControl
from yue2_desktop.ui.score.preview_player import SinkFactory
from yue2_desktop.ui.score.score_bar import ScoreBar
from yue2_desktop.ui.score.score_commands import ScoreCommands
from yue2_desktop.ui.score.score_edits import ScoreEdits
from yue2_desktop.ui.score.score_files import QtScoreFileDialogs, ScoreFileDialogs, ScoreFiles
from yue2_desktop.ui.score.score_menus import fill_more_menu
from yue2_desktop.ui.score.sheet_view import Sheet
from yue2_desktop.ui.score.text_pane import TextPane
from yue2_desktop.ui.score.typing import Typing
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.qt_palette import current_palette


class ScorePanel(QWidget):
    """Shows the session's score and gives every edit to it. `stop` before the window goes.

    `preview_requested` says, with the time in quarters, that a preview begins here: nothing else should sound.
    """

    write_score_requested = Signal()
    preview_requested = Signal(float)
    preview_stopped = Signal()

    def __init__(
        self,
        session: SongSession,
        *,
        make_sink: SinkFactory = NullSink,
        dialogs: ScoreFileDialogs | None = None,
        drawing: Drawing | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Score"))
        self._session = session
        self._is_other_song = True
        self._meant: str | None = None
        self.edits = ScoreEdits(session, self)
        self.commands = NoteCommands(self.edits, self)
        self.drawing = drawing or Drawing(self)
        self.files = ScoreFiles(dialogs or QtScoreFileDialogs(self), self)
        self.score = ScoreCommands(session, self.edits, self.files, self)
        self.bar, self.plan_line = ScoreBar(self), PlanLine(self)
        self.notation, self.empty, self.undrawn = NotationView(), EmptyScore(), Undrawn()
        self.text = TextPane(self)
        self.chord = ChordEntry(self.notation.viewport())
        self.pages = QStackedWidget()
        for page in (self.empty, self.undrawn, self.notation):
            self.pages.addWidget(page)
        self.preview = PreviewControl(make_sink, self.edits, self.commands, self.bar, self.notation)
        Typing(session, self.edits, self.commands, self.text.edit, self)
        self._lay_out()
        self._connect()
        self._follow(session.document)

    def set_plans(self, plans: Sequence[PlannedScore]) -> None:
        """The plans of this song to choose from, in the order in which they were made."""
        self.plan_line.set_plans(plans)

    def set_position(self, seconds: float | None) -> None:
        """Where a song that plays is, for the cursor; about right only, since a song is not sung by the clock."""
        parsed = self.edits.parsed()
        if seconds is None or parsed is None or self.preview.player.is_playing:
            self.notation.set_time(None)
        else:
            self.notation.set_time(Fraction(seconds).limit_denominator(1000) * parsed.score.header.tempo / 60)

    @property
    def seconds(self) -> float | None:
        """The length of the score, None without one."""
        parsed = self.edits.parsed()
        return parsed.score.seconds if parsed is not None and parsed.score.bar_count else None

    @property
    def sentence(self) -> str:
        """What the calm line says."""
        return self.text.notice.sentence

    def focus_score(self) -> None:
        """Puts the keyboard into the notation."""
        self.notation.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def stop(self) -> None:
        """No more work behind the window, before it goes."""
        self.preview.player.stop()
        self.drawing.stop()
        self.edits.stop()
        self.files.stop()
        self.notation.stop()

    def _lay_out(self) -> None:
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.pages)
        self.split.addWidget(self.text)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.PADDING, metrics.PADDING, metrics.PADDING, metrics.PADDING)
        column.setSpacing(metrics.GAP)
        column.addWidget(self.bar)
        column.addWidget(self.plan_line)
        column.addWidget(self.split, 1)

    def _connect(self) -> None:
        session, edits, commands = self._session, self.edits, self.commands
        session.changed.connect(self._follow)
        session.document_loaded.connect(self._expect_other_song)
        edits.read.connect(self._show_parsed)
        edits.refused.connect(self._say)
        edits.key_typed.connect(self._warn_of_key)
        self.drawing.drawn.connect(self._show_drawn)
        self.drawing.failed.connect(self._show_undrawn)
        self.notation.chosen.connect(commands.choose)
        self.notation.asked.connect(self._ask)
        self.notation.layout_wanted.connect(self._draw_again)
        self.notation.zoomed.connect(self.text.show_zoom)
        commands.selected.connect(self._show_selected)
        commands.chord_wanted.connect(self._open_chord)
        self.chord.entered.connect(commands.set_chord)
        self.chord.closed.connect(self.focus_score)
        self.text.repair.clicked.connect(edits.repair_all)
        self.text.zoom_asked.connect(self.notation.zoom_by)
        self.text.notice.cure_asked.connect(self._cure)
        self.bar.transposed.connect(self.score.transpose)
        self.bar.tempo_chosen.connect(self.score.set_tempo)
        self.bar.section_chosen.connect(commands.choose_section)
        self.bar.section_inserted.connect(self.score.insert_section)
        self.bar.section_duplicated.connect(self.score.duplicate_section)
        self.bar.section_deleted.connect(self.score.delete_section)
        self.bar.more.menu().aboutToShow.connect(self._fill_more)
        self.plan_line.chosen.connect(self.score.take_plan)
        self.plan_line.revert_asked.connect(self.score.revert)
        self.empty.write_asked.connect(self.write_score_requested)
        self.empty.import_asked.connect(self.score.fetch)
        self.empty.type_asked.connect(self._begin)
        self.undrawn.cure_asked.connect(self.score.fetch_text)
        self.score.said.connect(self._say)
        self.files.written.connect(self._say)
        self.files.failed.connect(self._say)
        self.preview.began.connect(self.preview_requested)
        self.preview.ended.connect(self.preview_stopped)

    @Slot()
    def _expect_other_song(self) -> None:
        self._is_other_song = True

    @Slot(object)
    def _follow(self, document: SongDocument) -> None:
        text = document.score.text if document.score is not None else ""
        if not self.edits.is_read:
            self._say("")
        if self._is_other_song:
            self.preview.player.stop()
            self.commands.choose(None)
        self.text.edit.show_words(text, from_start=self._is_other_song)
        self.edits.follow(document)
        if self._is_other_song:
            self.edits.look()
        elif self.edits.is_read:
            self.plan_line.show_document(document, self.edits.known)
        self._is_other_song = False

    @Slot(object)
    def _show_parsed(self, parsed: Parsed | None) -> None:
        self.preview.player.stop()
        self.bar.show_score(parsed)
        self.text.show_parsed(parsed, self.edits.repair_of)
        self.text.setVisible(parsed is not None)
        self.plan_line.show_document(self._session.document, parsed)
        if parsed is None:
            self.drawing.forget()
            self.commands.keep_up()
            self.notation.show_sheet(None)
            self.pages.setCurrentWidget(self.empty)
        elif not parsed.score.bar_count:
            self.drawing.forget()
            first = parsed.diagnostics[0] if parsed.diagnostics else None
            words = first.sentence if first is not None else self.tr("The text has no bars yet.")
            if first is not None and not parsed.is_foreign:
                words = self.tr("{sentence} (line {line})").format(sentence=first.sentence, line=first.line)
            self.undrawn.say(words, self.tr("Make a score of it") if parsed.is_foreign else "")
            self.pages.setCurrentWidget(self.undrawn)
            self.text.open()
        else:
            typing = self.text.edit.hasFocus() and self.notation.sheet is not None
            self.pages.setCurrentWidget(self.notation)  # before its width is asked for
            self.drawing.ask(parsed, self.notation.paper_width(), current_palette().text, at_once=not typing)

    @Slot()
    def _draw_again(self) -> None:
        parsed = self.edits.parsed()
        if parsed is not None and parsed.score.bar_count:
            self.drawing.ask(parsed, self.notation.paper_width(), current_palette().text, at_once=True)

    @Slot(object, object)
    def _show_drawn(self, parsed: Parsed, drawn: Drawn) -> None:
        if parsed is not self.edits.parsed():
            return
        self.notation.show_sheet(Sheet(parsed, drawn))
        self.commands.use_map(parsed, drawn.score_map)
        self.commands.keep_up()
        self.pages.setCurrentWidget(self.notation)
        self.notation.select(self.commands.element, reveal=not self.preview.player.is_playing)

    @Slot(str)
    def _show_undrawn(self, sentence: str) -> None:
        self.undrawn.say(self.tr("{sentence} The text is as it was.").format(sentence=sentence))
        self.pages.setCurrentWidget(self.undrawn)
        self.text.open()

    @Slot(object)
    def _show_selected(self, element: ScoreElement | None) -> None:
        parsed = self.edits.parsed()
        sheet = self.notation.sheet
        if parsed is None:
            return
        if sheet is not None and sheet.parsed is parsed:
            self.notation.select(element)
        self.notation.setAccessibleDescription(described(parsed, element))
        if element is None:
            return
        if not self.text.edit.hasFocus():
            self.text.edit.select_span(element.span)
        sections = parsed.score.sections
        self.bar.show_section(next((one.index for one in sections if element.bar < one.last_bar), 0))

    @Slot(object)
    def _ask(self, ask: Ask) -> None:
        self._say("")
        if self.commands.ask(ask):
            return
        if ask is Ask.PREVIEW:
            self.preview.toggle()
        elif ask is Ask.TEXT:
            self.text.open()
            self.text.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif ask is Ask.UNDO:
            self._session.undo_stack.undo()
        elif ask is Ask.REDO:
            self._session.undo_stack.redo()

    @Slot(object, str)
    def _open_chord(self, element: ScoreElement, name: str) -> None:
        self.chord.open_at(self.notation.place_of(element), name)

    @Slot()
    def _begin(self) -> None:
        self.score.begin()
        self.text.open()
        self.text.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _say(self, sentence: str) -> None:
        self._meant = None
        self.text.notice.say(sentence)

    @Slot(object)
    def _warn_of_key(self, warning: tuple[str, str | None]) -> None:
        sentence, self._meant = warning
        self.text.notice.say(sentence, cure=self.tr("Transpose") if self._meant is not None else "")

    @Slot()
    def _cure(self) -> None:
        if self._meant is not None:
            self.edits.put(self._meant, self.tr("Transpose"))

    @Slot()
    def _fill_more(self) -> None:
        act = {**self.score.for_menu(), "chord": self.commands.want_chord}
        fill_more_menu(self.bar.more.menu(), has_score=self.edits.text is not None, act=act, export=self.score.export)
