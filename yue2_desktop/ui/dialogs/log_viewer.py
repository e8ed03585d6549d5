"""The log as it stands, with a button that copies what a report needs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QPlainTextEdit, QWidget

from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics


class LogDialog(FramedDialog):
    """`text` is the log's last part; `report` makes the redacted diagnostics when they are asked for."""

    def __init__(self, text: str, place: str, report: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Log"), QDialogButtonBox.StandardButton.Close, parent)
        self._report = report
        self.column.addWidget(quiet(place))
        self._view = QPlainTextEdit(text or self.tr("Nothing was logged yet."), readOnly=True)
        self._view.setAccessibleName(self.tr("Log"))
        self._view.setTabChangesFocus(True)
        self._view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._view.moveCursor(QTextCursor.MoveOperation.End)
        self.column.addWidget(self._view, 1)
        copy = self.buttons.addButton(self.tr("Copy diagnostics"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAccessibleName(copy.text())
        copy.setToolTip(self.tr("Without lyrics, and without your name in paths"))
        copy.clicked.connect(self._copy)
        self._button = copy
        self.resize(96 * metrics.GRID, 60 * metrics.GRID)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report())
        self._button.setText(self.tr("Copied"))
