"""The field for lyrics: typing, wrong tags mended in place, and syllables beside the lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from yue2_desktop.song.lyrics.outline import TagProblem
from yue2_desktop.song.utf16 import from_utf16, to_utf16
from yue2_desktop.ui.editor.fix_button import FixButton
from yue2_desktop.ui.editor.highlighter import LyricsHighlighter, problems_in
from yue2_desktop.ui.editor.lyrics_menu import lyrics_menu
from yue2_desktop.ui.editor.syllable_column import SyllableColumn
from yue2_desktop.ui.line_ends import change_between, with_line_feeds
from yue2_desktop.ui.song_text import SongTextEdit

_NEW_WIDTHS = frozenset({QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LayoutDirectionChange})


class LyricsEdit(SongTextEdit):
    """Lyrics, with the fix of a wrong tag beside it, and the syllables beside each line."""

    fix_all_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.tr("Lyrics"))
        self._pointed: QTextBlock | None = None
        self._highlighter = LyricsHighlighter(self.document())
        self._column = SyllableColumn(self)
        self._button = FixButton(self.viewport())
        self._button.clicked.connect(self._fix_shown)
        self.updateRequest.connect(self._follow)
        self.cursorPositionChanged.connect(self._offer_fix)
        self._make_room()

    @property
    def column(self) -> SyllableColumn:
        """The syllables beside the lines."""
        return self._column

    @property
    def fix_button(self) -> FixButton:
        """The button that stands by a wrong tag."""
        return self._button

    def show_words(self, text: str, *, from_start: bool = False) -> None:
        """Shows another text. Only what differs is touched; the cursor goes there, or to the start."""
        change = change_between(self.words(), with_line_feeds(text))
        if change is not None:
            self._quiet = True
            self._put(change.start, change.end, change.text)
            self._quiet = False
        if from_start:
            self.moveCursor(QTextCursor.MoveOperation.Start)

    def set_syllables(self, counts: Mapping[str, int]) -> None:
        """Syllables by the text of a line."""
        self._column.set_counts(counts)

    def cursor_offset(self) -> int:
        """Where the cursor is, in characters from the start."""
        return from_utf16(self.words(), self.textCursor().position())

    def go_to(self, offset: int) -> None:
        """Puts the cursor at a character, and that line near the top."""
        cursor = self.textCursor()
        cursor.setPosition(to_utf16(self.words(), offset))
        # From below, so that the whole section comes into view.
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def replace(self, start: int, end: int, text: str, step: str) -> None:
        """Puts `text` in place of characters, as one step of the history; the cursor goes behind it."""
        self._step = step
        self._put(start, end, text)
        self._step = ""

    def problem_in_line(self) -> TagProblem | None:
        """The wrong tag in the cursor's line, the one at or behind the cursor where there are several."""
        cursor = self.textCursor()
        return self._problem_in(cursor.block(), cursor.positionInBlock())

    def problem_here(self) -> tuple[QTextBlock, TagProblem] | None:
        """The wrong tag that a fix would mend now: in the cursor's line, or else the next one, from the top again."""
        cursor, own = self.textCursor(), self.problem_in_line()
        if own is not None:
            return cursor.block(), own
        for block in (*_blocks(cursor.block().next()), *_blocks(self.document().firstBlock())):
            problems = problems_in(block.text())
            if problems:
                return block, problems[0]
        return None

    def fix(self, block: QTextBlock, problem: TagProblem) -> None:
        """Mends one wrong tag; offsets are in the block."""
        start = from_utf16(self.words(), block.position())
        self.replace(start + problem.start, start + problem.end, problem.replacement, self.tr("Fix tag"))

    def mend_here(self) -> None:
        """As `fix_here`."""
        self.fix_here()

    @Slot()
    def fix_here(self) -> None:
        """Mends the wrong tag at the cursor, or the next one."""
        found = self.problem_here()
        if found is not None:
            self.fix(*found)

    def visible_lines(self) -> Iterator[tuple[QTextBlock, int, int]]:
        """The blocks from the top of the view on, each with the top and the base line of its first row in pixels."""
        offset = self.contentOffset()
        for block in _blocks(self.firstVisibleBlock()):
            if block.isVisible():
                rect = self.blockBoundingGeometry(block).translated(offset)
                ascent = block.layout().lineAt(0).ascent() if block.layout().lineCount() else 0.0
                yield block, round(rect.top()), round(rect.top() + ascent)

    def renew_colours(self) -> None:
        """After a change of the palette."""
        self._highlighter.renew()

    def context_menu(self, at: QPoint) -> QMenu:
        """The menu for a place in the view: fixes first."""
        block = self.cursorForPosition(at).block()
        return lyrics_menu(self, [(block, problem) for problem in problems_in(block.text())])

    def event(self, event: QEvent) -> bool:
        """Qt's own: colours, fonts and directions can change while the window is open."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_highlighter"):
            self.renew_colours()
        if event.type() in _NEW_WIDTHS and hasattr(self, "_column"):
            self._make_room()
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Qt's own: the sentence for a wrong tag is its tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cursor = self.cursorForPosition(event.pos())
            problem = self._problem_in(cursor.block(), cursor.positionInBlock())
            QToolTip.showText(event.globalPos(), "" if problem is None else problem.sentence, self)
            return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's own: the fix is offered for the line under the mouse, too."""
        super().mouseMoveEvent(event)
        block = self.cursorForPosition(event.position().toPoint()).block()
        if block != self._pointed:
            self._pointed = block
            self._offer_fix()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own: the column keeps its side."""
        super().resizeEvent(event)
        inside = self.contentsRect()
        width = self._column.width_wanted()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        bar = self.verticalScrollBar().width() if self.verticalScrollBar().isVisible() else 0
        left = inside.left() + bar if mirrored else inside.right() + 1 - width - bar
        self._column.setGeometry(left, self.viewport().y(), width, self.viewport().height())
        self._offer_fix()

    def _make_room(self) -> None:
        width = self._column.width_wanted()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.setViewportMargins(width if mirrored else 0, 0, 0 if mirrored else width, 0)

    def _put(self, start: int, end: int, text: str) -> None:
        words = self.words()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.setPosition(to_utf16(words, start))
        cursor.setPosition(to_utf16(words, end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def _problem_in(self, block: QTextBlock, units: int) -> TagProblem | None:
        problems = problems_in(block.text())
        at = from_utf16(block.text(), units) if problems else 0
        return next((one for one in problems if at <= one.end), problems[-1] if problems else None)

    def _changed(self) -> None:
        self._pointed = None
        self._offer_fix()

    @Slot()
    def _follow(self) -> None:
        self._column.update()
        if self._button.isVisible():
            self._offer_fix()

    @Slot()
    def _offer_fix(self) -> None:
        self._column.update()
        for block in (self._pointed, self.textCursor().block()):
            if block is not None and block.isValid():
                problem = self._problem_in(block, self.textCursor().positionInBlock())
                if problem is not None:
                    self._button.offer(block, problem, self._last_row(block))
                    return
        self._button.withdraw()

    def _last_row(self, block: QTextBlock) -> QRect:
        lines = block.layout()
        if lines.lineCount() == 0:  # not laid out, since it is not in view
            return QRect(0, -self.height(), 0, 0)
        row = lines.lineAt(lines.lineCount() - 1).naturalTextRect()
        return row.translated(self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()).toRect()

    @Slot()
    def _fix_shown(self) -> None:
        offered = self._button.offered
        if offered is not None:
            self.fix(*offered)
            self.setFocus()


def _blocks(block: QTextBlock) -> Iterator[QTextBlock]:
    while block.isValid():
        yield block
        block = block.next()
