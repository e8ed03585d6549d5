"""What all dialogs share: a heading, room around, and buttons at the bottom."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import title_font


class FramedDialog(QDialog):
    """A dialog with a title line; its content goes into `column`."""

    def __init__(self, title: str, buttons: QDialogButtonBox.StandardButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        heading = QLabel(title)
        heading.setFont(title_font(self.font()))
        self.column = QVBoxLayout()
        self.column.setSpacing(metrics.GAP)
        self.buttons = QDialogButtonBox(buttons)
        for button in self.buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        room = metrics.PADDING + metrics.GRID
        whole.setContentsMargins(room, room, room, metrics.PADDING)
        whole.setSpacing(metrics.GROUP_GAP)
        whole.addWidget(heading)
        whole.addLayout(self.column, 1)
        whole.addWidget(self.buttons)


def quiet(text: str) -> QLabel:
    """A sentence of explanation."""
    label = QLabel(text, wordWrap=True)
    label.setProperty("role", "quiet")
    return label
