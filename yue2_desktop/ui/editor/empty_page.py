"""What lies on the page while there is no song: a sentence, and songs to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.editor.flow import FlowLayout
from yue2_desktop.ui.theme.metrics import CONTROL_HEIGHT, GRID, PADDING

_WIDEST = 52 * GRID


class EmptyPage(QWidget):
    """Keeps to the middle of `view`, below the line in which one begins to type."""

    example_chosen = Signal(object)

    def __init__(self, view: QWidget, examples: Sequence[SongDocument]) -> None:
        super().__init__(view)
        self._view = view
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        label = QLabel(self.tr("An empty page: start from an example, or drop a text file here."), self)
        label.setWordWrap(True)
        label.setProperty("role", "quiet")
        column.addWidget(label)
        row = QWidget(self)
        flow = FlowLayout(row)
        for example in examples:
            button = QPushButton(example.shown_title.replace("&", "&&"), row)
            button.setMinimumHeight(CONTROL_HEIGHT)
            button.setAutoDefault(True)  # or Enter would go to the page below
            button.setAccessibleName(self.tr("Start from the example {title}").format(title=example.shown_title))
            button.setToolTip(example.style)
            button.clicked.connect(partial(self._choose, example))
            flow.addWidget(button)
        column.addWidget(row)
        view.installEventFilter(self)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's own: follows the size of the view."""
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    def _settle(self) -> None:
        view = self._view.rect()
        width = max(1, min(view.width() - 2 * PADDING, _WIDEST))
        height = self.heightForWidth(width)
        top = max(4 * GRID, (view.height() - height) // 3)
        self.setGeometry(QRect((view.width() - width) // 2, top, width, height))

    def _choose(self, example: SongDocument, _checked: bool = False) -> None:
        self.example_chosen.emit(example)
