"""Every control of a window, and the order in which Tab reaches them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)

_KINDS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTextEdit,
)  # fmt: skip


def controls(root: QWidget) -> list[QWidget]:
    """What can be operated and is shown; the parts of Qt's own that make up a control are not counted."""
    found = [one for one in root.findChildren(QWidget) if isinstance(one, _KINDS) and one.isVisibleTo(root)]
    found = [one for one in found if not isinstance(one, QScrollBar)]
    return [one for one in found if not one.objectName().startswith("qt_") and not _is_part(one)]


def nameless(root: QWidget) -> list[str]:
    """Controls that a screen reader could not name."""
    return [_words(one) for one in controls(root) if not (one.accessibleName().strip() or _text(one))]


def tab_order(root: QWidget) -> list[QWidget]:
    """Widgets in the order of Tab."""
    order = [root]
    while (following := order[-1].nextInFocusChain()) is not root:
        order.append(following)
    return [one for one in order if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisibleTo(root)]


def out_of_reach(root: QWidget) -> list[str]:
    """Controls that Tab does not come to, nor to the widget that has them."""
    reached = tab_order(root)
    return [
        _words(one)
        for one in controls(root)
        if one.isEnabled() and one not in reached and one.focusProxy() not in reached and not _has_reached(one, reached)
    ]


def _has_reached(one: QWidget, reached: list[QWidget]) -> bool:
    # A group of exclusive buttons or a list row is reached by its first, and gone through by arrows.
    parent = one.parentWidget()
    return parent is not None and isinstance(parent, _KINDS) and parent in reached


def _is_part(one: QWidget) -> bool:
    parent = one.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit)):
            return True
        parent = parent.parentWidget()
    return False


def _words(one: QWidget) -> str:
    return f"{type(one).__name__} {one.objectName()!r} {_text(one)!r}"


def _text(one: QWidget) -> str:
    """A button's own words, which are its name."""
    return one.text().strip() if isinstance(one, QAbstractButton) else ""
