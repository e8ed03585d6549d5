"""The panels that have a place in the window, and what stands in for one that is not there."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from yue2_desktop.ui.theme import metrics


@dataclass(frozen=True)
class Panels:
    """The widgets of the window's places; None leaves what is there: at first an empty, calm place."""

    editor: QWidget | None = None
    score: QWidget | None = None
    takes: QWidget | None = None
    player: QWidget | None = None


class EmptyPlace(QWidget):
    """A panel's heading, where it will be."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(heading)
        title = QLabel(heading)
        title.setProperty("role", "heading")
        title.setFixedHeight(metrics.CONTROL_HEIGHT - metrics.NEAR)
        self._words = QLabel(wordWrap=True)
        self._words.setProperty("role", "quiet")
        self._words.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.PADDING, metrics.PADDING, metrics.PADDING, metrics.PADDING)
        column.addWidget(title)
        column.addWidget(self._words)
        column.addStretch(1)

    def say(self, sentence: str) -> None:
        """Why it stays empty."""
        self._words.setText(sentence)
        self._words.show()


class PlayerPlace(QWidget):
    """As high as a player, so that nothing moves when it comes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(metrics.CONTROL_HEIGHT + 3 * metrics.GRID)
