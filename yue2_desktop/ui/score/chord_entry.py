"""The small field above a note in which a chord symbol is typed."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

_WIDTH = 104


class ChordEntry(QLineEdit):
    """`entered` has what was typed, empty to take the chord out; Esc closes it without."""

    entered = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._above = parent
        self.setMaxLength(24)
        self.setAccessibleName(self.tr("Chord symbol"))
        self.setPlaceholderText(self.tr("Chord"))
        self.setToolTip(self.tr("For example Am7 or F/C; empty takes the chord out"))
        self.hide()

    def open_at(self, place: QRectF, name: str) -> None:
        """Shows itself above a place of its parent's."""
        self.setText(name)
        height = self.sizeHint().height()
        limit = self._above.rect()
        left = min(max(round(place.left()), 4), max(4, limit.width() - _WIDTH - 4))
        top = min(max(round(place.top()) - height - 4, 4), max(4, limit.height() - height - 4))
        self.setGeometry(left, top, _WIDTH, height)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own; no key goes further, or the notation behind the field would do what it asks for."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._enter()
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's own."""
        super().focusOutEvent(event)
        if self.isVisible() and event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.hide()

    def _enter(self) -> None:
        text = self.text().strip()
        self._close()
        self.entered.emit(text)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()
