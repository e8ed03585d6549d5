"""What differs between the settings of two takes, as a small table in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractItemView, QDialogButtonBox, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from yue2_desktop.library.compare import Difference
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics

_WIDTH: Final = 92 * metrics.GRID
_HEIGHT: Final = 48 * metrics.GRID


class CompareDialog(FramedDialog):
    """The rows of `library.compare.compare`; `first` and `second` name the takes."""

    def __init__(
        self, first: str, second: str, differences: Sequence[Difference], parent: QWidget | None = None
    ) -> None:
        buttons = QDialogButtonBox.StandardButton.Close
        super().__init__(_title(), buttons, parent)
        if not differences:
            self.setMinimumWidth(_WIDTH // 2)
            self.column.addWidget(quiet(self.tr("{} and {} were made alike, word for word.").format(first, second)))
            return
        self.resize(_WIDTH, _HEIGHT)
        self.table = table = QTableWidget(len(differences), 3)
        table.setHorizontalHeaderLabels([self.tr("What differs"), first, second])
        table.setAccessibleName(self.tr("What differs between {} and {}").format(first, second))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setStyleSheet(f"QTableView::item {{ padding: {metrics.NEAR}px {metrics.GRID}px; }}")
        table.setWordWrap(True)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        for place, one in enumerate(differences):
            for column, text in enumerate((one.topic, one.first, one.second)):
                cell = QTableWidgetItem(text)
                cell.setToolTip(text)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                table.setItem(place, column, cell)
        self.column.addWidget(table, 1)


def _title() -> str:
    return QCoreApplication.translate("CompareDialog", "Settings of two takes")
