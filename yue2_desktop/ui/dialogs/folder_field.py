"""A field for a folder: typed or chosen, with a line below that says at once what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from yue2_desktop.ui.dialogs.frame import quiet
from yue2_desktop.ui.theme import metrics

AskFolder = Callable[[str, Path], Path | None]
#: A pause in typing after which the folder is looked at, in milliseconds: it may lie on a slow disk.
_PAUSE_MS: Final = 300


class FolderField(QWidget):
    """`name` is what the folder is for; `is_made` says that it is made where it is not there yet."""

    def __init__(
        self, name: str, folder: Path, ask: AskFolder, *, is_made: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._ask, self._is_made = ask, is_made
        self.line = QLineEdit(str(folder))
        self.line.setCursorPosition(0)
        self.line.setAccessibleName(name)
        choose = QPushButton(self.tr("Choose…"))
        choose.setAccessibleName(self.tr("Choose: {}").format(name))
        choose.clicked.connect(self._pick)
        self.trouble = quiet("")
        self.trouble.hide()
        row = QHBoxLayout()
        row.setSpacing(metrics.GAP)
        row.addWidget(self.line, 1)
        row.addWidget(choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.NEAR)
        column.addLayout(row)
        column.addWidget(self.trouble)
        self.setFocusProxy(self.line)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.look)
        self.line.textChanged.connect(self._typed_on)
        self.look()

    def folder_or(self, before: Path) -> Path:
        """What is typed; `before` where that is no full path."""
        typed = self._typed()
        return typed if typed.is_absolute() else before

    @Slot()
    def look(self) -> None:
        """Says what is wrong with the folder, if anything is."""
        words = {
            "": "",
            "relative": self.tr("Type the whole path, from the disk on; until then the folder stays as it was."),
            "file": self.tr("This is a file. Choose the folder that it lies in."),
            "missing": self.tr("This folder does not exist. Choose another, or make it first."),
            "closed": self.tr("This folder cannot be written. Choose another, or allow writing there."),
        }[folder_trouble(self._typed(), is_made=self._is_made)]
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))
        self.line.setAccessibleDescription(words)

    def label(self, text: str) -> QLabel:
        """The label of the field, whose mnemonic leads into it."""
        label = QLabel(text)
        label.setBuddy(self.line)
        return label

    @Slot(str)
    def _typed_on(self, _text: str) -> None:
        self._pause.start()

    def _typed(self) -> Path:
        try:
            return Path(self.line.text().strip()).expanduser()
        except RuntimeError:  # the home of a user who is not there
            return Path(self.line.text().strip())

    @Slot()
    def _pick(self) -> None:
        chosen = self._ask(self.line.accessibleName(), self._typed())
        if chosen is not None:
            self.line.setText(str(chosen))
            self.look()


def folder_trouble(folder: Path, *, is_made: bool) -> str:
    """What is wrong with a folder that was typed: `relative`, `file`, `missing`, `closed`, or nothing ("").

    One that `is_made` has to lie below a folder that can be written, the other has to be there.
    """
    if not folder.is_absolute():
        return "relative"
    try:
        if folder.is_dir():
            return "closed" if is_made and not os.access(folder, os.W_OK | os.X_OK) else ""
        if folder.exists():
            return "file"
        above = next((one for one in folder.parents if one.exists()), None)
    except OSError:  # a name that no disk takes, or a folder that may not be looked into
        return "missing"
    if not is_made or above is None:
        return "missing"
    if not above.is_dir():
        return "missing"
    return "" if os.access(above, os.W_OK | os.X_OK) else "closed"
