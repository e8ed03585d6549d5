"""The list under the style's field: what a half-typed piece may become, with its category."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from yue2_desktop.song.style.completion import Suggestion
from yue2_desktop.ui.editor.category_titles import category_titles
from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID
from yue2_desktop.ui.theme.qt_palette import current_palette

_CATEGORY = Qt.ItemDataRole.UserRole + 1
_FRAME = 2
_LOOK = """
SuggestionList { background: palette(base); border: 1px solid palette(dark); border-radius: 6px; }
QListWidget { background: transparent; }
"""
_WIDEST = 45 * GRID


class SuggestionList(QFrame):
    """Lies over the window, below `anchor`; it never takes the focus from the field that it serves."""

    chosen = Signal(str)

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(anchor)
        self._anchor = anchor
        self._suggestions: Sequence[Suggestion] = ()
        self.setStyleSheet(_LOOK)
        self._rows = QListWidget(self)
        self._rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._rows.setAccessibleName(self.tr("Suggestions"))
        self._rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows.setItemDelegate(_Delegate(self._rows))
        self._rows.setMouseTracking(True)
        self._rows.itemClicked.connect(self._choose)
        self._rows.itemEntered.connect(self._rows.setCurrentItem)
        column = QVBoxLayout(self)
        column.setContentsMargins(_FRAME, _FRAME, _FRAME, _FRAME)
        column.addWidget(self._rows)
        self.hide()

    @property
    def rows(self) -> QListWidget:
        """The list itself."""
        return self._rows

    def offer(self, suggestions: Sequence[Suggestion]) -> None:
        """Shows these; none of them is chosen before an arrow key says so."""
        self._suggestions = suggestions
        self._rows.clear()
        titles = category_titles()
        for one in suggestions:
            text = one.term.text
            shown = text if one.name == text else self.tr("{text}  ({name})").format(text=text, name=one.name)
            item = QListWidgetItem(shown)
            item.setData(_CATEGORY, titles[one.term.category])
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{shown}, {titles[one.term.category]}")
            self._rows.addItem(item)
        if not suggestions:
            self.hide()
            return
        self.setParent(self._anchor.window())
        self._settle()
        self.raise_()
        self.show()

    def step(self, by: int) -> None:
        """The next or the one before, over the ends to none and on."""
        count = self._rows.count() + 1
        self._rows.setCurrentRow((self._rows.currentRow() + 1 + by) % count - 1)

    def current_text(self) -> str:
        """The term that an arrow key or the mouse came to; empty for none."""
        row = self._rows.currentRow()
        return self._suggestions[row].term.text if 0 <= row < len(self._suggestions) else ""

    def _settle(self) -> None:
        rows = sum(self._rows.sizeHintForRow(row) for row in range(self._rows.count()))
        window = self._anchor.window()
        top = self._anchor.mapTo(window, QPoint(0, self._anchor.height() + GRID // 2))
        width = max(min(self._anchor.width(), _WIDEST), self._rows.sizeHintForColumn(0) + 2 * GRID)
        width = min(width, window.width() - 2 * GRID)
        left = max(GRID, min(top.x(), window.width() - GRID - width))
        self.setGeometry(QRect(left, top.y(), width, rows + 2 * _FRAME))

    @Slot(QListWidgetItem)
    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self._suggestions[self._rows.row(item)].term.text)


class _Delegate(QStyledItemDelegate):
    """The term at the beginning of its row, the category at the end."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt's own."""
        metrics = option.fontMetrics
        texts = (str(index.data()), str(index.data(_CATEGORY)))
        width = sum(metrics.horizontalAdvance(text) for text in texts) + 4 * GRID
        return QSize(width, max(COMPACT_HEIGHT, metrics.height() + GRID))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Qt's own."""
        self.initStyleOption(option, index)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        palette = option.palette
        painter.save()
        if is_current:
            painter.fillRect(option.rect, palette.color(_Role.Highlight))
        rect = option.rect.adjusted(GRID, 0, -GRID, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        # A style sheet makes the palette's own placeholder colour half transparent.
        painter.setPen(palette.color(_Role.HighlightedText) if is_current else QColor(current_palette().quiet))
        category = str(index.data(_CATEGORY))
        painter.drawText(rect, int(middle | Qt.AlignmentFlag.AlignTrailing), category)
        taken = option.fontMetrics.horizontalAdvance(category) + GRID
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        rest = rect.adjusted(taken if mirrored else 0, 0, 0 if mirrored else -taken, 0)
        painter.setPen(palette.color(_Role.HighlightedText if is_current else _Role.Text))
        shown = option.fontMetrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, int(middle | Qt.AlignmentFlag.AlignLeading), shown)
        painter.restore()


_Role = QPalette.ColorRole
