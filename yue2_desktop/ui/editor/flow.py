"""A layout that sets its items in lines, as words in a paragraph."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items side by side, in reading direction, and on a new line where the width ends.

    An item that asks for room (expanding) gets the rest of its line. An item wider than the line is made as narrow.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
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
        """Qt's own: as if nothing else were needed than the widest item."""
        return self.minimumSize()

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
            height = max(item.sizeHint().height() for item in line)
            if move:
                self._place(line, QRect(inside.left(), top, inside.width(), height))
            top += height + self._gap
        bottom = self.contentsMargins().bottom()
        return max(top - self._gap, inside.top()) - rect.top() + bottom

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
            height = item.sizeHint().height()
            at = QPoint(left, rect.top() + (rect.height() - height) // 2)
            if mirrored:
                at.setX(rect.right() + 1 - (left - rect.left()) - width)
            item.setGeometry(QRect(at, QSize(width, height)))
            left += width + self._gap
