"""Words that have less room in a window than they need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QStyle, QStyleOptionComboBox, QWidget

#: Advances are rounded.
_SLACK = 2


def clipped(root: QWidget) -> list[str]:
    """Labels, buttons and boxes in sight whose words do not fit into them, and what lies beyond the window's edge."""
    found = []
    for one in root.findChildren(QWidget):
        if not one.isVisibleTo(root) or one.visibleRegion().isEmpty():
            continue
        words = _words(one)
        if words and _lacks_room(one, words):
            found.append(f"{type(one).__name__} {words!r}: {one.width()} of {one.sizeHint().width()}")
        if words and not root.rect().contains(_where(one, root)) and not _scrolls(one, root):
            found.append(f"{type(one).__name__} {words!r} beyond the edge")
    return found


def _words(one: QWidget) -> str:
    if isinstance(one, QComboBox):
        return one.currentText()
    return one.text() if isinstance(one, (QLabel, QAbstractButton)) else ""


def _lacks_room(one: QWidget, words: str) -> bool:
    if isinstance(one, QLabel):
        if one.wordWrap():
            return one.heightForWidth(one.width()) > one.height() + _SLACK
        return one.sizeHint().width() > one.width() + _SLACK
    if isinstance(one, QComboBox):
        option = QStyleOptionComboBox()
        one.initStyleOption(option)
        field = one.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, one
        )
        return one.fontMetrics().horizontalAdvance(words) > field.width() + _SLACK
    return one.sizeHint().width() > one.width() + _SLACK or one.sizeHint().height() > one.height() + 2 * _SLACK


def _where(one: QWidget, root: QWidget) -> QRect:
    return QRect(one.mapTo(root, QPoint(0, 0)), one.size())


def _scrolls(one: QWidget, root: QWidget) -> bool:
    """Whether it lies in what can be scrolled, where more than there is room for is no fault."""
    parent = one.parentWidget()
    while parent is not None and parent is not root:
        if parent.objectName() == "qt_scrollarea_viewport":
            return True
        parent = parent.parentWidget()
    return False
