"""The editor of a song: style, lyrics and what is chosen beside them, over the one history of the session."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget

from yue2_desktop.paths import resources
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.limits import CONTEXT
from yue2_desktop.song.lyrics.outline import Outline
from yue2_desktop.song.request import COTS
from yue2_desktop.song.seeds import SeedPolicy
from yue2_desktop.song.style.chips import without_voices
from yue2_desktop.song.templates import Template
from yue2_desktop.ui.editor.fact_finder import FactFinder
from yue2_desktop.ui.editor.headings import heading, heading_row, menu_button, quiet_label
from yue2_desktop.ui.editor.material import Material, load_material
from yue2_desktop.ui.editor.page import LyricsPage
from yue2_desktop.ui.editor.room import Room, room_of
from yue2_desktop.ui.editor.song_choices import SongChoices
from yue2_desktop.ui.editor.song_edits import from_example, from_template, with_fixed_tags
from yue2_desktop.ui.editor.start_menu import start_menu
from yue2_desktop.ui.editor.style_field import StyleField
from yue2_desktop.ui.editor.style_menu import style_menu
from yue2_desktop.ui.editor.tokens import TokenCount, Tokens
from yue2_desktop.ui.editor.word_facts import WordFacts, context_sentence, too_long
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.metrics import GRID, PADDING


class EditorPanel(QWidget):
    """Shows the session's document and gives every edit to it; holds nothing of the song itself.

    `material` is what is offered to begin with; without it, that of the program's own files. `stop` before the window
    goes.
    """

    def __init__(self, session: SongSession, material: Material | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Words"))
        self._session = session
        self._material = material or load_material(resources())
        self._shown: SongDocument | None = None
        self._is_other_song = True
        self._facts: WordFacts | None = None
        self._tokens: Tokens | None = None
        self._finder = FactFinder(self)
        self.style_field = StyleField(self._material.vocabulary, self)
        self.page = LyricsPage(self._material.examples, self)
        self.choices = SongChoices(self)
        self._length = quiet_label()
        self._token_label = quiet_label()
        self._lay_out()
        self._connect()
        self._make_room()
        self._show(session.document)

    def hold(self) -> None:
        """Finds nothing out about the words until `release`, while the window has more urgent things to do."""
        self._finder.hold()

    def release(self) -> None:
        """Finds out what is said about the words."""
        self._finder.release()

    def is_finding(self) -> bool:
        """Whether something is being found out."""
        return self._finder.is_busy

    def set_token_count(self, count: TokenCount | None) -> None:
        """What counts the tokens of a song's text, in a thread of the pool, in place of a bound; None: no word."""
        self._finder.set_count(count)

    def set_score_seconds(self, seconds: float | None) -> None:
        """The length of the song's score in seconds, in place of the estimate from the words."""
        self._finder.set_score_seconds(seconds)

    def focus_style(self) -> None:
        """Puts the cursor where the style is typed."""
        self.style_field.entry.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_lyrics(self) -> None:
        """Puts the cursor into the lyrics."""
        self.page.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def stop(self) -> None:
        """No more work behind the window, before it goes."""
        self._finder.stop()

    @property
    def length_text(self) -> str:
        """What is said about the length of the song; empty while nothing is known."""
        return self._length.text()

    @property
    def token_text(self) -> str:
        """What is said about tokens; empty while nothing is known."""
        return "" if self._token_label.isHidden() else self._token_label.text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own: where it is short, the words keep their lines."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        room = room_of(self.height())
        self._insert.setVisible(room < Room.AMPLE)
        self.page.buttons.setVisible(room is Room.AMPLE)
        self.style_field.set_room(room)
        self.choices.set_tight(room is Room.TIGHT)
        edge = PADDING if room > Room.TIGHT else GRID
        self._column.setContentsMargins(PADDING, edge, PADDING, edge)
        gap = GRID if room is Room.AMPLE else GRID // 2
        self._column.setSpacing(gap)
        self.page.setContentsMargins(0, 0, 0, GRID - gap)  # a box and the row of boxes below it keep their distance
        self._words_row.setContentsMargins(0, GRID if room is Room.AMPLE else 0, 0, 0)
        self._say_tokens()

    def _say_tokens(self) -> None:
        room, tokens = room_of(self.height()), self._tokens
        known = tokens is not None and not self._session.document.is_blank
        self._token_label.setVisible(known and room > Room.TIGHT)
        if tokens is None:
            return
        self._token_label.setText(tokens.words(with_limit=True))
        row = self._words_row
        if room < Room.AMPLE and row.heightForWidth(row.width()) > row.heightForWidth(self.maximumWidth()):
            self._token_label.setText(tokens.words(with_limit=False))  # the limit is in the tooltip, too

    def _lay_out(self) -> None:
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        column.setSpacing(GRID)
        title, self._add = heading(self.tr("St&yle"), self.style_field.entry), menu_button(self.tr("Add"), self)
        self._add.setMenu(style_menu(self._add, self._material.vocabulary, self.style_field.pick))
        self._add.setToolTip(self.tr("Words that describe music, by kind"))
        self._start = menu_button(self.tr("Start from"), self)
        self._start.setMenu(start_menu(self._start, self._material, self._take_example, self._take_template))
        self._start.setToolTip(self.tr("Example songs, and structures to fill"))
        column.addWidget(heading_row(title, self._start, self._add))
        column.addWidget(self.style_field)
        words = heading(self.tr("&Lyrics"), self.page.edit)
        self._insert = menu_button(self.tr("Section"), self)
        self._insert.setMenu(self.page.buttons.menu)
        self._insert.setToolTip(self.tr("Insert a section at the cursor"))
        self._words_row = heading_row(words, self._token_label, self._length, self._insert)
        column.addWidget(self._words_row)
        column.addWidget(self.page, 1)
        column.addWidget(self.choices)
        order = (
            self._start, self._add, self.style_field.first, self.style_field.entry, self._insert,
            *self.page.buttons.findChildren(QToolButton), self.page.sections, self.page.edit,
            self.page.edit.fix_button, *self.page.empty.findChildren(QPushButton), self.page.notice.button,
            *self.choices.controls,
        )  # fmt: skip
        for behind in reversed(order[1:]):  # from the first on: Qt's order is a ring, and the panel is to begin with it
            QWidget.setTabOrder(order[0], behind)

    def _connect(self) -> None:
        session, edit = self._session, self.page.edit
        session.changed.connect(self._show)
        session.document_loaded.connect(self._expect_other_song)
        for widget in (edit, self.style_field, self.choices):
            widget.undo_asked.connect(session.undo_stack.undo)
            widget.redo_asked.connect(session.undo_stack.redo)
        self.style_field.style_changed.connect(self._take_style)
        edit.typed.connect(self._take_typing)
        edit.replaced.connect(self._take_words)
        self.page.fix_all_asked.connect(self._fix_all)
        self.page.voice_off_asked.connect(self._take_voice_out)
        self.page.empty.example_chosen.connect(self._take_example)
        self.choices.cot_chosen.connect(self._take_cot)
        self.choices.seed_chosen.connect(self._take_seed)
        self._finder.outlined.connect(self._show_outline)
        self._finder.found.connect(self._show_facts)
        self._finder.counted.connect(self._show_tokens)

    @Slot()
    def _expect_other_song(self) -> None:
        self._is_other_song = True

    @Slot(object)
    def _show(self, document: SongDocument) -> None:
        before, self._shown = self._shown, document
        if before is None or document.style != before.style:
            self.style_field.set_style(document.style)
        # What was typed comes back equal; only a song from elsewhere, or an undo, differs from what is shown.
        if (before is None or document.lyrics != before.lyrics) and document.lyrics != self.page.edit.words():
            self.page.edit.show_words(document.lyrics, from_start=self._is_other_song)
        self._is_other_song = False
        self.choices.show_cot(document.cot)
        self.choices.show_seed(document.seed)
        self.page.empty.setVisible(document.is_blank)
        self._finder.follow(document)

    @Slot()
    def _take_typing(self) -> None:
        self._take_words(self.tr("Typing"), merge="lyrics")

    @Slot(str)
    def _take_words(self, step: str, merge: str | None = None) -> None:
        document = replace(self._session.document, lyrics=self.page.edit.words())
        self._session.apply(step, document, merge)

    @Slot(str, bool)
    def _take_style(self, style: str, typing: bool) -> None:
        document = replace(self._session.document, style=style)
        self._session.apply(self.tr("Style"), document, "style" if typing else None)

    @Slot(str)
    def _take_cot(self, cot: str) -> None:
        chosen = next(choice for choice in COTS if choice == cot)
        self._session.apply(self.tr("What is written first"), replace(self._session.document, cot=chosen))

    @Slot(object, bool)
    def _take_seed(self, policy: SeedPolicy, typing: bool) -> None:
        document = replace(self._session.document, seed=policy)
        self._session.apply(self.tr("Seed"), document, "seed" if typing else None)

    @Slot(object)
    def _take_example(self, example: SongDocument) -> None:
        step = self.tr("Example {title}").format(title=example.shown_title)
        self._session.apply(step, from_example(self._session.document, example))
        self.focus_lyrics()

    @Slot(object)
    def _take_template(self, template: Template) -> None:
        step = self.tr("Structure {title}").format(title=template.title)
        self._session.apply(step, from_template(self._session.document, template))
        self.focus_lyrics()

    @Slot(bool)
    def _fix_all(self, unusual_too: bool) -> None:
        document = with_fixed_tags(self._session.document, unusual_too=unusual_too)
        self._session.apply(self.tr("Fix all tags"), document)

    @Slot()
    def _take_voice_out(self) -> None:
        document = self._session.document
        style = without_voices(document.style, self._material.vocabulary)
        self._session.apply(self.tr("Take the voice out"), replace(document, style=style))

    @Slot(object)
    def _show_outline(self, outline: Outline) -> None:
        self.page.show_outline(outline)
        self.page.show_trouble(self._trouble())

    @Slot(object)
    def _show_facts(self, facts: WordFacts) -> None:
        self._facts = facts
        self.page.edit.set_syllables(facts.syllables)
        known = facts.from_score or not facts.length.instrumental
        text = self.tr("{length}, from the score") if facts.from_score else self.tr("about {length}")
        self._length.setText(text.format(length=facts.length_text) if known else "")
        self._length.setVisible(known)
        self._length.setToolTip("\n".join(facts.notices))
        self._say_tokens()  # beside the length there may be less room
        self.page.show_doubt(facts.wordless, has_voice=facts.has_voice)
        self.page.show_trouble(self._trouble())

    @Slot(object)
    def _show_tokens(self, tokens: Tokens | None) -> None:
        self._tokens = tokens
        self._say_tokens()
        hint = self.tr("What the model reads before it writes; that, the score and the song fit in {limit} tokens")
        self._token_label.setToolTip(hint.format(limit=f"{CONTEXT:,}"))
        self.page.show_trouble(self._trouble())

    def _trouble(self) -> str:
        document = self._session.document
        if sentence := too_long(document.lyrics):
            return sentence
        # A bound is no reason to alarm anybody.
        if self._tokens is None or not self._tokens.exact or self._facts is None:
            return ""
        writes = document.cot != "off" and document.score is None
        return context_sentence(self._tokens.count, self._facts.length.ceiling_frames, writes_score=writes)
