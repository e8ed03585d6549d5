"""The page of lyrics: sections on the left, words on the right, what can be inserted above, what is wrong below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.outline import Outline, TagProblem, read_lyrics
from yue2_desktop.ui.editor.empty_page import EmptyPage
from yue2_desktop.ui.editor.fix_button import fix_text
from yue2_desktop.ui.editor.insertion import insertion_of
from yue2_desktop.ui.editor.lyrics_edit import LyricsEdit
from yue2_desktop.ui.editor.section_buttons import SectionButtons
from yue2_desktop.ui.editor.section_list import SectionList
from yue2_desktop.ui.notice_bar import NoticeBar
from yue2_desktop.ui.theme.metrics import GRID

#: A narrower page is all for the words.
_LIST_FROM_WIDTH = 46 * GRID
_LIST_WIDTH = 14 * GRID
_FEWEST_LINES = 3


class LyricsPage(QWidget):
    """Holds the outline that list, insertions and notices go by. `fix_all_asked` says whether of unusual tags, too."""

    fix_all_asked = Signal(bool)
    voice_off_asked = Signal()

    def __init__(self, examples: Sequence[SongDocument], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outline = read_lyrics("")
        self._trouble = ""
        self._doubt = ""
        self._has_voice = False
        self.buttons = SectionButtons(self)
        self.sections = SectionList(self)
        self.edit = LyricsEdit(self)
        self.edit.setMinimumHeight(_FEWEST_LINES * self.edit.fontMetrics().lineSpacing() + GRID)
        self.empty = EmptyPage(self.edit.viewport(), examples)
        self.notice = NoticeBar(self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.setHandleWidth(GRID)
        self._splitter.setStyleSheet("QSplitter::handle { background: transparent; }")  # the gap is enough
        self._splitter.addWidget(self.sections)
        self._splitter.addWidget(self.edit)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([_LIST_WIDTH, 4 * _LIST_WIDTH])
        self._splitter.setCollapsible(1, False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.buttons)
        column.addWidget(self._splitter, 1)
        column.addWidget(self.notice)
        self.buttons.asked.connect(self._insert)
        self.sections.gone_to.connect(self.edit.go_to)
        self.sections.entered.connect(self._back_to_words)
        self.edit.cursorPositionChanged.connect(self._follow)
        self.edit.fix_all_asked.connect(self._fix_all)
        self.notice.cure_asked.connect(self._cure)

    def show_outline(self, outline: Outline) -> None:
        """The lyrics as they were read."""
        self._outline = outline
        self.sections.show_outline(outline)
        self._make_room()
        self._follow()

    def show_trouble(self, sentence: str) -> None:
        """What is wrong with the lyrics as a whole, such as their length; empty for nothing."""
        self._trouble = sentence
        self._notify()

    def show_doubt(self, sentence: str, *, has_voice: bool) -> None:
        """What may come out otherwise than meant; `has_voice` offers to take the voice out of the style."""
        self._doubt, self._has_voice = sentence, has_voice
        self._notify()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own: the list goes where the page is narrow, or has no sections."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        wide = self.width() >= _LIST_FROM_WIDTH
        self.sections.setVisible(wide and bool(self._outline.sections))

    def _lost(self) -> list[TagProblem]:
        return [problem for problem in self._outline.problems if problem.loses_section]

    def _notify(self) -> None:
        here = self.edit.problem_in_line()
        problems = self._outline.problems
        lost = self._lost()
        if self._trouble:
            self.notice.say(self._trouble, is_lost=True)
        elif here is not None:
            hint = self.tr("Alt+Enter")
            self.notice.say(here.sentence, is_lost=here.loses_section, cure=fix_text(here), hint=hint)
        elif lost:
            one = self.tr("One tag is written so that the model does not see its section.")
            many = self.tr("{count} tags are written so that the model does not see their sections.")
            sentence = one if len(lost) == 1 else many.format(count=len(lost))
            self.notice.say(sentence, is_lost=True, cure=self.tr("Fix") if len(lost) == 1 else self.tr("Fix all"))
        elif self._doubt:
            self.notice.say(self._doubt, cure=self.tr("Take the voice out") if self._has_voice else "")
        elif problems:
            one, many = self.tr("One tag is unusual."), self.tr("{count} tags are unusual.")
            sentence = one if len(problems) == 1 else many.format(count=len(problems))
            self.notice.say(sentence, cure=self.tr("Fix") if len(problems) == 1 else self.tr("Fix all"))
        else:
            self.notice.say("")

    @Slot()
    def _cure(self) -> None:
        if self.edit.problem_in_line() is not None:
            self.edit.fix_here()
        elif self._doubt and not self._lost():
            self.voice_off_asked.emit()
        else:
            self._fix_all()

    @Slot()
    def _fix_all(self) -> None:
        self.fix_all_asked.emit(not self._lost())

    @Slot()
    def _follow(self) -> None:
        self.sections.follow(self._outline, self.edit.cursor_offset())
        self._notify()

    @Slot(str)
    def _insert(self, name: str) -> None:
        outline = read_lyrics(self.edit.words())
        new = insertion_of(outline, name, self.edit.cursor_offset())
        self.edit.replace(new.start, new.end, new.text, self.tr("Insert section"))
        self.edit.setFocus()

    @Slot()
    def _back_to_words(self) -> None:
        self.edit.setFocus()
