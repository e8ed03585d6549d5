"""The line above the list: whose takes, in which order, and a field to search them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from yue2_desktop.library.browsing import Order, Query
from yue2_desktop.ui.takes.rows import Scope
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette

#: A search begins when typing rests for so long.
_PAUSE_MS: Final = 150
_SEARCH_WIDTH: Final = 26 * metrics.GRID


class _SearchField(QLineEdit):
    """Esc ends a search."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class TakesHeader(QWidget):
    """`changed` says that another query is wanted, `go_on_wanted` that the queue is to go on."""

    changed = Signal()
    go_on_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._song = ""
        heading = QLabel(self.tr("Takes and queue"))
        heading.setProperty("role", "heading")
        self.count = QLabel()
        self.count.setProperty("role", "quiet")
        self.count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._pause_sign, self._paused = QLabel(), QLabel(self.tr("The queue is paused"))
        self.go_on = QPushButton(self.tr("Go on"))
        self.go_on.setToolTip(self.tr("Begins the renders that wait"))
        self.go_on.setAccessibleName(self.tr("Let the queue go on"))
        self.go_on.setMinimumHeight(metrics.COMPACT_HEIGHT)
        self.go_on.clicked.connect(self.go_on_wanted)
        self.scope = self._box(
            self.tr("Whose takes are listed"),
            (
                (self.tr("This song"), Scope.SONG),
                (self.tr("All songs"), Scope.ALL),
                (self.tr("Starred"), Scope.STARRED),
            ),
        )
        self.order = self._box(
            self.tr("Sorted by"),
            (
                (self.tr("By date"), Order.DATE),
                (self.tr("By length"), Order.LENGTH),
                (self.tr("By star"), Order.STAR),
                (self.tr("By seed"), Order.SEED),
                (self.tr("By title"), Order.TITLE),
            ),
        )
        self.direction = QToolButton()
        self.direction.setCheckable(True)
        self.direction.setToolTip(self.tr("Turn the order around"))
        self.direction.setAccessibleName(self.tr("Turn the order around"))
        self.search = _SearchField()
        self.search.setPlaceholderText(self.tr("Search takes"))
        self.search.setAccessibleName(self.tr("Search takes"))
        self.search.setToolTip(self.tr("Words of title, style, lyrics, note, or a seed"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(_SEARCH_WIDTH)
        self._glass = QAction(self)
        self.search.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.PADDING, metrics.GRID, metrics.PADDING, metrics.NEAR)
        row.setSpacing(metrics.GAP)
        row.addWidget(heading)
        for said in (self._pause_sign, self._paused, self.go_on):
            said.hide()
            row.addWidget(said)
        row.addWidget(self.count, 1)
        for part in (self.scope, self.order, self.direction, self.search):
            row.addWidget(part)
        row.setStretch(row.indexOf(self.search), 1)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.search.textChanged.connect(self._typed)
        self.scope.currentIndexChanged.connect(self._changed)
        self.order.currentIndexChanged.connect(self._changed)
        self.direction.toggled.connect(self._changed)
        self._colour()

    def _box(self, name: str, choices: tuple[tuple[str, object], ...]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(name)
        for text, value in choices:
            box.addItem(text, value)
        return box

    @property
    def query(self) -> Query:
        """What the library is to be asked for."""
        scope = Scope(self.scope.currentData())
        return Query(
            text=self.search.text().strip(),
            song=self._song if scope is Scope.SONG else None,
            starred=scope is Scope.STARRED,
            order=Order(self.order.currentData()),
            descending=not self.direction.isChecked(),
        )

    @property
    def listed(self) -> Scope:
        """Whose takes are listed."""
        return Scope(self.scope.currentData())

    def set_song(self, song: str) -> None:
        """Another song is open; its id."""
        if song != self._song:
            self._song = song
            if self.listed is Scope.SONG:
                self.changed.emit()

    @Slot(bool)
    def set_paused(self, paused: bool) -> None:
        """Says that the queue is paused, with a way to let it go on."""
        had_focus = self.go_on.hasFocus()
        for part in (self._pause_sign, self._paused, self.go_on):
            part.setVisible(paused)
        if had_focus and not paused:
            self.scope.setFocus()

    def stop(self) -> None:
        """A search that was about to begin does not."""
        self._pause.stop()

    @Slot()
    def clear_search(self) -> None:
        """Shows everything again, at once."""
        self.search.clear()
        self._changed()

    @Slot()
    def _typed(self) -> None:
        self._pause.start()

    @Slot()
    def _changed(self) -> None:
        self._pause.stop()
        self._colour()
        self.changed.emit()

    def _colour(self) -> None:
        self._pause_sign.setPixmap(icon("pause", colour=current_palette().doubtful).pixmap(metrics.ICON))
        self._glass.setIcon(icon("search", colour=current_palette().quiet))
        self.direction.setIcon(icon("up" if self.direction.isChecked() else "down"))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
