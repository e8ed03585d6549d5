"""The rows of the editor that hold a heading and, at the other end, what belongs to it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from yue2_desktop.ui.editor.flow import FlowLayout
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID


def heading(text: str, buddy: QWidget) -> QLabel:
    """A heading whose letter leads to what it heads."""
    label = QLabel(text)
    label.setProperty("role", "heading")
    label.setBuddy(buddy)
    return label


def quiet_label() -> QLabel:
    """For a fact beside a heading; hidden until there is one."""
    label = QLabel()
    label.setProperty("role", "quiet")
    label.setFont(number_font(label.font()))
    label.hide()
    return label


def menu_button(text: str, parent: QWidget) -> QToolButton:
    """A button that opens a menu."""
    button = QToolButton(parent)
    button.setText(text)
    button.setProperty("menu", True)
    button.setAccessibleName(text)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setMinimumHeight(COMPACT_HEIGHT)
    return button


def heading_row(title: QLabel, *others: QWidget) -> QWidget:
    """A heading, and what belongs to it at the other end, on more than one line where long words need that."""
    row = QWidget()
    flow = FlowLayout(row, gap=2 * GRID, row_gap=GRID // 2)
    title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    for widget in (title, *others):
        flow.addWidget(widget)
    policy = row.sizePolicy()
    policy.setHeightForWidth(True)
    row.setSizePolicy(policy)
    return row
