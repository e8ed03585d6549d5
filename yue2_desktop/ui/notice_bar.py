"""One sentence under a panel's text on what is wrong with it, with the button that mends it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID
from yue2_desktop.ui.theme.qt_palette import current_palette

_STRIPE = 3


class NoticeBar(QWidget):
    """Hidden while there is nothing to say; red where something is lost, amber where it is doubtful."""

    cure_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_lost = False
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._button = QPushButton(self)
        self._button.setMinimumHeight(COMPACT_HEIGHT)
        self._button.clicked.connect(self.cure_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        row.setSpacing(GRID)
        row.addSpacing(_STRIPE + GRID)  # a margin would not change sides where one reads from the right
        row.addWidget(self._label, 1)
        row.addWidget(self._button)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says; empty while it is hidden."""
        return "" if self.isHidden() else self._label.text()

    @property
    def button(self) -> QPushButton:
        """The cure; hidden where there is none."""
        return self._button

    def say(self, sentence: str, *, is_lost: bool = False, cure: str = "", hint: str = "") -> None:
        """Shows a sentence; an empty one hides the bar. `cure` is the text of the button, `hint` its tooltip."""
        self._is_lost = is_lost
        self._label.setText(sentence)
        self._label.setAccessibleName(sentence)
        self._button.setText(cure)
        self._button.setAccessibleName(cure)
        self._button.setToolTip(hint)
        self._button.setVisible(bool(cure))
        self.setVisible(bool(sentence))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Qt's own: a stripe in the colour of the matter."""
        palette = current_palette()
        painter = QPainter(self)
        left = 0 if self.isLeftToRight() else self.width() - _STRIPE
        painter.fillRect(
            QRect(left, 0, _STRIPE, self.height()), QColor(palette.bad if self._is_lost else palette.doubtful)
        )
        painter.end()
