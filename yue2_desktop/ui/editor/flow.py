"""A layout that sets its items in lines, as words in a paragraph."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from yue2_desktop.ui.theme.metrics import GRID


class FlowLayout(QLayout):
    """Items side by side, in reading direction, and on a new line where the width ends.

    An item that asks for room (expanding) gets the rest of its line. An item wider than the line is made as narrow.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int = GRID, row_gap: int | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._row_gap = gap if row_gap is None else row_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Qt's own: behind all others."""
        self._items.append(item)

    def arrange(self, widgets: list[QWidget]) -> None:
        """Puts the items of these widgets into this order; all must be in the layout."""
        place = {id(widget): index for index, widget in enumerate(widgets)}
        self._items.sort(key=lambda item: place[id(item.widget())])
        self.invalidate()

    def count(self) -> int:
        """Qt's own."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Qt's own: None behind the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Qt's own: None behind the end."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Qt's own: asks for no more than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Qt's own."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Qt's own: in pixels."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Qt's own."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """Qt's own: all in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        margins = self.contentsMargins()
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        height = max((size.height() for size in sizes), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def minimumSize(self) -> QSize:
        """Qt's own."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        inside = rect.marginsRemoved(self.contentsMargins())
        top = inside.top()
        for line in self._lines(inside.width()):
            height = max(_height(item, inside.width()) for item in line)
            if move:
                self._place(line, QRect(inside.left(), top, inside.width(), height))
            top += height + self._row_gap
        bottom = self.contentsMargins().bottom()
        return max(top - self._row_gap, inside.top()) - rect.top() + bottom

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wanted = item.sizeHint().width()
            if lines and used + self._gap + wanted <= width:
                lines[-1].append(item)
                used += self._gap + wanted
            else:
                lines.append([item])
                used = wanted
        return lines

    def _place(self, line: list[QLayoutItem], rect: QRect) -> None:
        widths = [min(item.sizeHint().width(), rect.width()) for item in line]
        spare = rect.width() - sum(widths) - self._gap * (len(line) - 1)
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = rect.left()
        for item, width in zip(line, widths, strict=True):
            if spare > 0 and item.expandingDirections() & Qt.Orientation.Horizontal:
                width, spare = width + spare, 0
            height = _height(item, rect.width())
            at = QPoint(left, rect.top() + (rect.height() - height) // 2)
            if mirrored:
                at.setX(rect.right() + 1 - (left - rect.left()) - width)
            item.setGeometry(QRect(at, QSize(width, height)))
            left += width + self._gap


def _height(item: QLayoutItem, width: int) -> int:
    """An item's height in pixels in a line of `width`, which may make it break inside."""
    hint = item.sizeHint()
    return item.heightForWidth(width) if item.hasHeightForWidth() and hint.width() > width else hint.height()
