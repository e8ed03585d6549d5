"""Every control of a window, its names and keys, and the order in which Tab reaches them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from yue2_desktop.ui.editor.chip import ChipButton

_KINDS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTextEdit,
)  # fmt: skip


def controls(root: QWidget) -> list[QWidget]:
    """What can be operated and is shown; the parts of Qt's own that make up a control are not counted."""
    found = [one for one in root.findChildren(QWidget) if _is_control(one) and one.isVisibleTo(root)]
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


def out_of_turn(places: Sequence[QWidget]) -> list[str]:
    """Where Tab goes backwards: from a place of the window to an earlier one, or in it against the reading."""
    ring = [(place, one) for one in tab_order(places[0].window()) if (place := _place(one, places)) >= 0]
    if not ring:
        return []
    # It has no end; one begins to read at the top.
    first = min(range(len(ring)), key=lambda number: (ring[number][0], *_corner(ring[number][1])))
    wrong = []
    for (here, one), (there, other) in pairwise([*ring[first:], *ring[:first]]):
        if here > there or (here == there and _reads_before(_where(other), _where(one))):
            wrong.append(f"{_words(one)} -> {_words(other)}")
    return wrong


def deaf(root: QWidget, key: Qt.Key) -> list[str]:
    """Buttons that can be pressed, but not with that key. What they are connected to is not done, and lost."""
    buttons = [one for one in tab_order(root) if isinstance(one, QAbstractButton) and one.isEnabled()]
    return [_words(one) for one in buttons if not _hears(one, key)]


def shared_keys(root: QWidget) -> list[str]:
    """Keys that more than one action or shortcut of a window has."""
    found: list[QAction | QShortcut] = [*root.findChildren(QAction), *root.findChildren(QShortcut)]
    keys: Counter[str] = Counter()
    for one in found:
        of_one = one.shortcuts() if isinstance(one, QAction) else one.keys()
        keys.update({key.toString() for key in of_one})
    return [key for key, count in keys.items() if count > 1]


def shared_letters(root: QWidget) -> list[str]:
    """Letters behind Alt that more than one thing in sight has; within each menu, too."""
    kinds = (QLabel, QAbstractButton)
    texts = [one.text() for kind in kinds for one in root.findChildren(kind) if _shows_letter(one, root)]
    tops = [action for bar in root.findChildren(QMenuBar) for action in bar.actions()]
    wrong = _twice([*texts, *(action.text() for action in tops)])
    for top in tops:
        wrong += [f"{top.text()}: {letter}" for letter in _twice([one.text() for one in top.menu().actions()])]
    return wrong


def _twice(texts: Sequence[str]) -> list[str]:
    letters = Counter(key.toString() for text in texts if not (key := QKeySequence.mnemonic(text)).isEmpty())
    return [letter for letter, count in letters.items() if count > 1]


def _shows_letter(one: QWidget, root: QWidget) -> bool:
    # A label without a buddy shows its ampersand.
    return one.isVisibleTo(root) and (not isinstance(one, QLabel) or one.buddy() is not None)


def _is_control(one: QWidget) -> bool:
    return isinstance(one, _KINDS) or bool(one.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _hears(button: QAbstractButton, key: Qt.Key) -> bool:
    heard: list[bool] = []
    menu = button.menu() if isinstance(button, (QPushButton, QToolButton)) else None
    if menu is not None:
        menu.aboutToShow.connect(lambda: heard.append(True))
        QTimer.singleShot(0, menu.close)  # it opens in a loop of its own
    else:
        action = button.defaultAction() if isinstance(button, QToolButton) else None
        # Enter on a piece of the style opens it, which is as good.
        opened = [button.edit_asked] if isinstance(button, ChipButton) else []
        signals = [button.clicked, button.toggled, *([action.triggered] if action is not None else []), *opened]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # there may be nothing that it is connected to
            for signal in signals:
                signal.disconnect()
        for signal in (button.clicked, *opened):
            signal.connect(lambda: heard.append(True))
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, key)
    QApplication.processEvents()
    return bool(heard)


def _place(one: QWidget, places: Sequence[QWidget]) -> int:
    return next((number for number, place in enumerate(places) if one is place or place.isAncestorOf(one)), -1)


def _where(one: QWidget) -> QRect:
    return QRect(one.mapToGlobal(one.rect().topLeft()), one.size())


def _corner(one: QWidget) -> tuple[int, int]:
    where = _where(one)
    return where.top(), where.left()


def _reads_before(one: QRect, other: QRect) -> bool:
    """Whether `one` is read before `other`: in a line above it, or in the same line on its left."""
    is_above, is_below = one.bottom() <= other.top(), other.bottom() <= one.top()
    return is_above or (not is_below and one.right() <= other.left())


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
    return f"{type(one).__name__} {one.objectName()!r} {one.accessibleName() or _text(one)!r}"


def _text(one: QWidget) -> str:
    """A button's own words, which are its name."""
    return one.text().strip() if isinstance(one, QAbstractButton) else ""
