"""The calm line above the panels: one sentence, a button that cures (or two), and a way to put it away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette
from yue2_desktop.ui.window_words import in_window_words

Tone = Literal["info", "doubtful", "bad"]
_ICONS: dict[Tone, str] = {"info": "info", "doubtful": "warning", "bad": "error"}


@dataclass(frozen=True)
class Notice:
    """A sentence for the line; `key` tells notices of one kind apart, so that a new one replaces its own.

    `other` is a second way out, where there are two.
    """

    key: str
    text: str
    tone: Tone = "info"
    button: str = ""
    act: Callable[[], None] | None = None
    other: str = ""
    act_otherwise: Callable[[], None] | None = None


class NoticeLine(QWidget):
    """Shows the latest of its notices; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices: dict[str, Notice] = {}
        self._sign = QLabel()
        self._words = QLabel(wordWrap=True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button, self.other = QPushButton(), QPushButton()
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Put this away"))
        self._close.setAccessibleName(self.tr("Put this notice away"))
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.PADDING, metrics.GRID, metrics.GRID, metrics.GRID)
        row.setSpacing(metrics.GAP)
        for part in (self._sign, self._words, self.button, self.other, self._close):
            row.addWidget(part)
        row.setStretch(1, 1)
        self.button.clicked.connect(self._act)
        self.other.clicked.connect(self._act_otherwise)
        self._close.clicked.connect(self._put_away)
        self.setAccessibleName(self.tr("Notice"))
        self._show()

    @property
    def text(self) -> str:
        """The sentence that is shown, empty for none."""
        return self._words.text() if self._notices else ""

    def tell(self, notice: Notice) -> None:
        """Shows a notice, in place of the last one with its key."""
        self._notices.pop(notice.key, None)
        self._notices[notice.key] = notice
        self._show()

    def withdraw(self, key: str) -> None:
        """Takes a notice back: what it told is no longer so."""
        if self._notices.pop(key, None) is not None:
            self._show()

    @Slot()
    def _act(self) -> None:
        notice = self._latest()
        if notice is not None and notice.act is not None:
            self.withdraw(notice.key)
            notice.act()

    @Slot()
    def _act_otherwise(self) -> None:
        notice = self._latest()
        if notice is not None and notice.act_otherwise is not None:
            self.withdraw(notice.key)
            notice.act_otherwise()

    @Slot()
    def _put_away(self) -> None:
        notice = self._latest()
        if notice is not None:
            self.withdraw(notice.key)

    def _latest(self) -> Notice | None:
        return next(reversed(self._notices.values()), None)

    def _show(self) -> None:
        notice = self._latest()
        self.setVisible(notice is not None)
        if notice is None:
            return
        palette = current_palette()
        colour = {"info": palette.quiet, "doubtful": palette.doubtful, "bad": palette.bad}[notice.tone]
        self._sign.setPixmap(icon(_ICONS[notice.tone], colour=colour).pixmap(metrics.ICON_TOOLBAR))
        self._close.setIcon(icon("close"))
        self._words.setText(in_window_words(notice.text))
        for button, words in ((self.button, notice.button), (self.other, notice.other)):
            button.setText(words)
            button.setAccessibleName(words)
            button.setVisible(bool(words))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()
