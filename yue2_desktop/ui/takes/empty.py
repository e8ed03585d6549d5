"""What stands in the place of an empty list: a sentence that says what comes here, and a button where one helps."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from yue2_desktop.ui.takes.rows import Scope
from yue2_desktop.ui.theme import metrics


class EmptyTakes(QWidget):
    """`everything_wanted` says that search and filter are in the way; `render_wanted` that a take is to be made."""

    everything_wanted = Signal()
    render_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel(wordWrap=True)
        self._words.setProperty("role", "quiet")
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._all = QPushButton(self.tr("Show all takes"))
        self._all.setAccessibleName(self._all.text())
        self._all.setProperty("kind", "link")
        self._all.clicked.connect(self.everything_wanted)
        self._render = QPushButton(self.tr("Render a take"))
        self._render.setAccessibleName(self._render.text())
        self._render.setProperty("kind", "link")
        self._render.clicked.connect(self.render_wanted)
        column = self._column = QVBoxLayout(self)
        # A link has room around its words for the frame of the keyboard; they are to stand below the sentence.
        self._words.setMinimumHeight(1)  # the list may be lower than its words
        self._words.setContentsMargins(metrics.LINK_EDGE, 0, 0, 0)
        edge = metrics.PADDING - metrics.LINK_EDGE
        column.setContentsMargins(edge, metrics.GRID, metrics.PADDING, metrics.NEAR)
        column.setSpacing(metrics.NEAR)
        column.addWidget(self._words)
        links = QHBoxLayout()
        links.setSpacing(metrics.GROUP_GAP)
        for button in (self._render, self._all):
            links.addWidget(button)
        links.addStretch(1)
        column.addLayout(links)
        column.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Where there is no room for both, the button stays: it says enough."""
        margins = self._column.contentsMargins()
        wide = self.width() - margins.left() - margins.right()
        heights = [one.sizeHint().height() for one in (self._render, self._all) if not one.isHidden()]
        buttons = max(heights, default=0)
        needed = margins.top() + margins.bottom() + self._words.heightForWidth(wide) + metrics.NEAR + buttons
        self._words.setVisible(not buttons or needed <= self.height())

    @property
    def text(self) -> str:
        """The sentence."""
        return self._words.text()

    def say(self, scope: Scope, search: str, *, reading: bool, others: int = 0) -> None:
        """Shows why nothing is listed; `others` is how many takes there are of other songs."""
        is_alone = scope is Scope.SONG and not search and not reading
        self._all.setText(self.tr("Show all takes ({})").format(others) if is_alone else self.tr("Show all takes"))
        self._all.setAccessibleName(self._all.text())
        self._all.setVisible(bool(search) or (scope is Scope.STARRED and not reading) or (is_alone and others > 0))
        self._render.setVisible(scope is Scope.SONG and not search and not reading)
        if reading:
            self._words.setText(self.tr("Looking through your takes…"))
        elif search:
            self._words.setText(self.tr("No take has “{}” in title, style, lyrics or note.").format(search))
        elif scope is Scope.STARRED:
            self._words.setText(self.tr("No take has a star yet. Select one and press S to keep it in view."))
        elif scope is Scope.SONG:
            self._words.setText(
                self.tr(
                    "No takes of this song yet. Press Ctrl+Enter to render one: each take sings the same words with "
                    "another seed, and you keep the one you like."
                )
            )
        else:
            self._words.setText(self.tr("No takes yet. Write some words, press Ctrl+Enter, and they are kept here."))
        self._make_room()
