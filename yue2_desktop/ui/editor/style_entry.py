"""The line in which the next piece of a style is typed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from yue2_desktop.song.utf16 import to_utf16
from yue2_desktop.ui.theme.metrics import COMPACT_HEIGHT, GRID

_SHORTEST_CHARS = 12
#: The field around it has the border.
_LOOK = "border: none; background: transparent; padding: 0 4px; placeholder-text-color: palette(placeholder-text);"


class StyleEntry(QLineEdit):
    """Passes on the keys by which one gets at chips and suggestions; it keeps no history of its own.

    `finished` ends the piece (Enter); `stepped` is the way through the suggestions, 1 for down.
    """

    finished = Signal()
    left_at_start = Signal()
    left_at_end = Signal()
    erased_at_start = Signal()
    stepped = Signal(int)
    escaped = Signal()
    entered = Signal()
    left = Signal()
    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(_LOOK)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Add to the style"))
        self.textChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Qt's own: as wide as what is typed, so that the line breaks before it."""
        metrics = self.fontMetrics()
        width = max(metrics.horizontalAdvance(self.text() + "  "), metrics.averageCharWidth() * _SHORTEST_CHARS)
        return QSize(width + 2 * GRID, max(COMPACT_HEIGHT, metrics.height() + GRID))

    def minimumSizeHint(self) -> QSize:
        """Qt's own."""
        return QSize(4 * GRID, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own."""
        key, plain = event.key(), not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        at_start = self.cursorPosition() == 0 and not self.hasSelectedText()
        at_end = self.cursorPosition() == to_utf16(self.text(), len(self.text())) and not self.hasSelectedText()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        back, on = (Qt.Key.Key_Right, Qt.Key.Key_Left) if mirrored else (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_asked.emit()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and plain:
            self.finished.emit()
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif key == back and at_start and plain:
            self.left_at_start.emit()
        elif key == on and at_end and plain:
            self.left_at_end.emit()
        elif key == Qt.Key.Key_Backspace and at_start:
            self.erased_at_start.emit()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()  # with Ctrl it is the window's: render
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt's own."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.entered.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's own."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.left.emit()
