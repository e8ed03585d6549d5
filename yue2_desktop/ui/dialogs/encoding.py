"""The look at a file of lyrics whose encoding is not sure: its readings, the likeliest first, and a preview."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QListWidget, QPlainTextEdit, QWidget

from yue2_desktop.song.lyrics.lyric_file import Lyrics, LyricsFile
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics

_Buttons = QDialogButtonBox.StandardButton


class EncodingDialog(FramedDialog):
    """`chosen` is the reading that the user takes."""

    def __init__(self, file: LyricsFile, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Are these the right letters?"), _Buttons.Ok | _Buttons.Cancel, parent)
        self._choices = file.choices
        self.column.addWidget(
            quiet(
                self.tr(
                    "{} does not say how its letters are written down. Choose the reading that looks right."
                ).format(file.path.name)
            )
        )
        self._list = QListWidget()
        self._list.setAccessibleName(self.tr("Readings, the likeliest first"))
        for choice in self._choices:
            self._list.addItem(choice.label)
        self._list.setMinimumWidth(self._list.sizeHintForColumn(0) + 4 * metrics.GRID)
        self._list.setMaximumWidth(max(self._list.minimumWidth(), 40 * metrics.GRID))
        self._preview = QPlainTextEdit(readOnly=True)
        self._preview.setAccessibleName(self.tr("How the words look"))
        self._preview.setTabChangesFocus(True)
        row = QHBoxLayout()
        row.setSpacing(metrics.GROUP_GAP)
        row.addWidget(self._list)
        row.addWidget(self._preview, 1)
        self.column.addLayout(row, 1)
        take = self.buttons.button(_Buttons.Ok)
        take.setText(self.tr("Take these words"))
        take.setAccessibleName(take.text())
        self._list.currentRowChanged.connect(self._show)
        self._list.setCurrentRow(0)
        self.resize(80 * metrics.GRID, 52 * metrics.GRID)

    @property
    def chosen(self) -> Lyrics:
        """The reading that is chosen."""
        return self._choices[max(0, self._list.currentRow())]

    @Slot(int)
    def _show(self, row: int) -> None:
        if row >= 0:
            self._preview.setPlainText(self._choices[row].text)
