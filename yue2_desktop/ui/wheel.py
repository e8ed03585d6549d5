"""The wheel over a box with choices or figures: it changes only the box that has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget


class CalmWheel(QObject):
    """Lets the wheel through to what is behind a box that is not in use: who scrolls past it changes nothing."""

    def watch(self, root: QWidget) -> None:
        """From now on for all boxes in `root`; one that is watched already is not watched twice."""
        for kind in (QComboBox, QAbstractSpinBox):
            for box in root.findChildren(kind):
                if box.focusPolicy() == Qt.FocusPolicy.WheelFocus:  # Qt's own, with which the wheel takes the keyboard
                    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                box.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's own."""
        if event.type() != QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()  # so that it goes on to the parent
        return True
