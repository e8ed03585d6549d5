"""The column beside the lyrics that says how many syllables are sung in a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QTextBlock
from PySide6.QtWidgets import QWidget

from yue2_desktop.ui.theme.metrics import GRID

if TYPE_CHECKING:
    from yue2_desktop.ui.editor.lyrics_edit import LyricsEdit

#: No line has more that anybody sings.
_WIDEST = "88"


class SyllableColumn(QWidget):
    """Numbers at the first row of each line; the line with the cursor has its number in full and in words.

    Counts belong to texts of lines, not to places, so that they stand right while lines are put in above.
    """

    def __init__(self, edit: LyricsEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._counts: Mapping[str, int] = {}
        self.setAccessibleName(self.tr("Syllables of each line"))
        self.setToolTip(self.tr("Syllables sung in each line, about"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Syllables by the text of a line."""
        self._counts = counts
        self.update()

    def width_wanted(self) -> int:
        """In pixels, for the widest number with its word."""
        return self.fontMetrics().horizontalAdvance(self._worded(_WIDEST)) + 2 * GRID

    def shown_counts(self) -> list[str]:
        """What stands beside the lines in view, from above; empty beside a line without a count."""
        return [self._text(block) for block, _ in self._visible()]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Qt's own: on the base lines of the words."""
        painter = QPainter(self)
        font = QFont(self.font())
        font.setFeature(QFont.Tag("tnum"), 1)
        painter.setFont(font)
        palette = self.palette()
        mirrored = self.isRightToLeft()
        current = self._edit.textCursor().block()
        for block, rect in self._visible():
            role = QPalette.ColorRole.Text if block == current else QPalette.ColorRole.PlaceholderText
            painter.setPen(palette.color(role))
            text = self._text(block)
            left = rect.left() if mirrored else rect.right() + 1 - painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(left, rect.top() + rect.height(), text)
        painter.end()

    def _text(self, block: QTextBlock) -> str:
        count = self._counts.get(block.text())
        if count is None:
            return ""
        return self._worded(str(count)) if block == self._edit.textCursor().block() else str(count)

    def _worded(self, count: str) -> str:
        return self.tr("{count} syl.").format(count=count)

    def _visible(self) -> Iterator[tuple[QTextBlock, QRect]]:
        for block, top, base in self._edit.visible_lines():
            if top > self.height():
                return
            yield block, QRect(GRID // 2, top, self.width() - GRID - GRID // 2, base - top)
