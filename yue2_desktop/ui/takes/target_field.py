"""Where an export goes: the file that will be written, and a button for another folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from yue2_desktop.song.wording import path_text
from yue2_desktop.ui.theme import metrics

#: A path that is cut shorter than this says nothing.
_LEAST: Final = 20 * metrics.GRID


class TargetField(QWidget):
    """`other_wanted` says that another folder is to be chosen. A long path is cut in its middle."""

    other_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self._path = QLabel()
        self._path.setTextFormat(Qt.TextFormat.PlainText)
        self._path.setMinimumWidth(_LEAST)
        self._path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.other = QPushButton(self.tr("Other folder…"))
        self.other.setAccessibleName(self.tr("Other folder"))
        self.other.clicked.connect(self.other_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.GAP)
        row.addWidget(self._path, 1)
        row.addWidget(self.other)
        self.setFocusProxy(self.other)

    @property
    def text(self) -> str:
        """The whole path, or that there is none."""
        return self._whole

    def show_target(self, target: Path | None) -> None:
        """Shows which file would be written; None where there is no format for one."""
        self._whole = self.tr("No format can be written here") if target is None else path_text(target)
        self._path.setToolTip(self._whole)
        self._path.setAccessibleName(self.tr("File: {}").format(self._whole))
        self.other.setAccessibleDescription(self._path.accessibleName())
        self._cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        metric = self._path.fontMetrics()
        self._path.setText(metric.elidedText(self._whole, Qt.TextElideMode.ElideMiddle, self._path.width()))
