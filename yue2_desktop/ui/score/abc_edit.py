"""The text of a score: what is wrong is underlined where it stands, says why, and is mended with one click."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QHelpEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QTextEdit, QToolTip, QWidget

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.elements import Span
from yue2_desktop.song.utf16 import from_utf16, to_utf16
from yue2_desktop.ui.line_ends import change_between, with_line_feeds
from yue2_desktop.ui.score.abc_highlighter import AbcHighlighter
from yue2_desktop.ui.score.abc_menu import RepairOf, abc_menu
from yue2_desktop.ui.song_text import SongTextEdit
from yue2_desktop.ui.theme.qt_palette import current_palette

#: More underlines than this help nobody, and make typing slow.
_MOST_MARKS = 200


class AbcEdit(SongTextEdit):
    """The text of a score. `moved` says that the cursor was put elsewhere by its user, `repair_asked` has the
    diagnostic that is to be mended.
    """

    moved = Signal()
    repair_asked = Signal(object)
    repair_all_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Text of the score"))
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setPlaceholderText(self.tr("The score as text (ABC). Type, or paste one."))
        self._diagnostics: tuple[Diagnostic, ...] = ()
        self._repair_of: RepairOf = _no_repair
        self._span: Span | None = None
        self._highlighter = AbcHighlighter(self.document())
        self.cursorPositionChanged.connect(self._tell_moved)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is underlined."""
        return self._diagnostics

    def show_words(self, text: str, *, from_start: bool = False) -> None:
        """Shows another text; only what differs is touched, and the cursor stays."""
        change = change_between(self.words(), with_line_feeds(text))
        self._quiet = True
        if change is not None:
            words = self.words()
            cursor = QTextCursor(self.document())
            cursor.setPosition(to_utf16(words, change.start))
            cursor.setPosition(to_utf16(words, change.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(change.text)
        if from_start:
            self.moveCursor(QTextCursor.MoveOperation.Start)
        self._quiet = False

    def show_diagnostics(self, diagnostics: Sequence[Diagnostic], repair_of: RepairOf) -> None:
        """Underlines what is wrong; `repair_of` finds the repair of one, or None."""
        self._diagnostics = tuple(diagnostics)
        self._repair_of = repair_of
        self._mark()

    def select_span(self, span: Span | None) -> None:
        """Selects a place of the text, and shows it; without telling that the cursor was moved."""
        self._span = span
        if span is not None and span.line >= 1:
            self._quiet = True
            self.setTextCursor(self._cursor(span.line, span.column, span.end))
            self.ensureCursorVisible()
            self._quiet = False
        self._mark()

    def place(self) -> tuple[int, int]:
        """Line and column (from 1) of the start of the selection, or of the cursor."""
        cursor = QTextCursor(self.textCursor())
        cursor.setPosition(cursor.selectionStart())
        return cursor.blockNumber() + 1, from_utf16(cursor.block().text(), cursor.positionInBlock()) + 1

    def diagnostics_at(self, line: int, column: int) -> tuple[Diagnostic, ...]:
        """What is wrong at a place; where that is nothing, what is wrong in its line."""
        here = tuple(one for one in self._diagnostics if one.line == line and one.column <= column <= one.end_column)
        return here or tuple(one for one in self._diagnostics if one.line == line)

    def mend_here(self) -> None:
        """As `repair_here`."""
        self.repair_here()

    @Slot()
    def repair_here(self) -> None:
        """Asks for the repair at the cursor, or of the next place that can be mended, from the top again."""
        line, column = self.place()
        behind = [one for one in self._diagnostics if (one.line, one.end_column) >= (line, column)]
        for one in (*self.diagnostics_at(line, column), *behind, *self._diagnostics):
            if self._repair_of(one) is not None:
                self.repair_asked.emit(one)
                return

    def context_menu(self, at: QPoint) -> QMenu:
        """The menu for a point of the view: repairs first."""
        line, column = self._place_at(at)
        return abc_menu(self, self.diagnostics_at(line, column), self._repair_of)

    def event(self, event: QEvent) -> bool:
        """Qt's own: another palette."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_highlighter"):
            self._highlighter.renew()
            self._mark()
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Qt's own: what is wrong is told in a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            line, column = self._place_at(event.pos())
            here = [one for one in self._diagnostics if one.line == line and one.column <= column <= one.end_column]
            QToolTip.showText(event.globalPos(), "\n".join(one.sentence for one in here[:5]), self)
            return True
        return super().viewportEvent(event)

    def _place_at(self, at: QPoint) -> tuple[int, int]:
        cursor = self.cursorForPosition(at)
        return cursor.blockNumber() + 1, from_utf16(cursor.block().text(), cursor.positionInBlock()) + 1

    def _cursor(self, line: int, column: int, end: int) -> QTextCursor:
        block = self.document().findBlockByNumber(line - 1)
        cursor = QTextCursor(block if block.isValid() else self.document().lastBlock())
        start, text = cursor.position(), cursor.block().text()
        cursor.setPosition(start + to_utf16(text, min(column - 1, len(text))))
        cursor.setPosition(start + to_utf16(text, min(end - 1, len(text))), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _mark(self) -> None:
        palette = current_palette()
        marks = []
        for one in self._diagnostics[:_MOST_MARKS]:
            mark = QTextEdit.ExtraSelection()
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(QColor(palette.bad if one.is_error else palette.doubtful))
            mark.cursor, mark.format = self._cursor(one.line, one.column, one.end_column), look
            marks.append(mark)
        self.setExtraSelections(marks)

    @Slot()
    def _tell_moved(self) -> None:
        if not self._quiet:
            self.moved.emit()


def _no_repair(_diagnostic: Diagnostic) -> None:
    return None
