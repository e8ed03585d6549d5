"""The two small dialogs of the list: whether a take goes to the bin, and what is noted about it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QWidget

from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics

_Button = QDialogButtonBox.StandardButton
_WIDTH: Final = 52 * metrics.GRID
_NOTE_HEIGHT: Final = 14 * metrics.GRID


class TrashDialog(FramedDialog):
    """Asks before anything goes to the bin; Enter answers no, unless somebody has gone to the other button."""

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(_bin_title(len(names)), _Button.Cancel, parent)
        self.setMinimumWidth(_WIDTH)
        listed = QLabel("\n".join(names[:5]) + ("\n…" if len(names) > 5 else ""), wordWrap=True)
        listed.setTextFormat(Qt.TextFormat.PlainText)
        self.column.addWidget(listed)
        self.column.addWidget(quiet(self.tr("It can be brought back from the bin of your system.")))
        move = QPushButton(self.tr("Move to the bin"))
        move.setAccessibleName(move.text())
        self.buttons.addButton(move, QDialogButtonBox.ButtonRole.AcceptRole)
        stay = self.buttons.button(_Button.Cancel)
        stay.setDefault(True)
        stay.setFocus()


class NoteDialog(FramedDialog):
    """Lets a note be written."""

    def __init__(self, name: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(name, _Button.Ok | _Button.Cancel, parent)
        self.setMinimumWidth(_WIDTH)
        self.edit = QPlainTextEdit(note)
        self.edit.setAccessibleName(self.tr("Note"))
        self.edit.setPlaceholderText(self.tr("What is good about it, what is not"))
        self.edit.setTabChangesFocus(True)
        self.edit.setMinimumHeight(_NOTE_HEIGHT)
        self.column.addWidget(self.edit)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    @property
    def note(self) -> str:
        """What was written."""
        return self.edit.toPlainText().strip()


def _bin_title(count: int) -> str:
    if count == 1:
        return QCoreApplication.translate("TrashDialog", "Move this take to the bin?")
    return QCoreApplication.translate("TrashDialog", "Move %n takes to the bin?", None, count)
