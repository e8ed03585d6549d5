"""The calm line above the player that says why nothing is heard, with what cures it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from yue2_desktop.ui.player.playable import Trouble
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette


class TroubleLine(QWidget):
    """Hidden where there is no trouble."""

    retry_pressed = Signal()
    default_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trouble: Trouble | None = None
        self._sign = QLabel()
        self._words = QLabel(wordWrap=True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.retry = QPushButton(self.tr("Try again"))
        self.default = QPushButton(self.tr("Play on the default device"))
        for button in (self.retry, self.default):
            button.setAccessibleName(button.text())
        self.retry.clicked.connect(self.retry_pressed)
        self.default.clicked.connect(self.default_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.PADDING, metrics.GRID, metrics.PADDING, 0)
        row.setSpacing(metrics.GAP)
        for part in (self._sign, self._words, self.retry, self.default):
            row.addWidget(part)
        row.setStretch(1, 1)
        self.tell(None)

    @property
    def text(self) -> str:
        """What is said, empty for nothing."""
        return "" if self._trouble is None else self._trouble.sentence

    def tell(self, trouble: Trouble | None) -> None:
        """Shows a trouble, or none."""
        self._trouble = trouble
        self.setVisible(trouble is not None)
        if trouble is None:
            return
        self._words.setText(trouble.sentence)
        self.retry.setVisible(trouble.can_retry)
        self.default.setVisible(trouble.can_change)
        self._colour()

    def _colour(self) -> None:
        self._sign.setPixmap(icon("warning", colour=current_palette().doubtful).pixmap(metrics.ICON_TOOLBAR))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
