"""The calm line above the panels: one sentence, a button that cures (or two), and a way to put it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from yue2_desktop.ui.notice_queue import Notice, NoticeQueue, Tone
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette
from yue2_desktop.ui.window_words import in_window_words

_ICONS: Final[dict[Tone, str]] = {"info": "info", "doubtful": "warning", "bad": "error"}


class NoticeLine(QWidget):
    """Shows one of its notices, the gravest first, and how many wait; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queue = NoticeQueue()
        self._sign = QLabel()
        self._words = QLabel(wordWrap=True)
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button, self.other = QPushButton(), QPushButton()
        self.step = QToolButton()
        self.step.setFont(number_font(self.font()))
        self.step.setIconSize(QSize(metrics.ICON, metrics.ICON))
        self.step.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.step.setToolTip(self.tr("Show the next notice"))
        self._close = QToolButton()
        self._close.setToolTip(self.tr("Put this away"))
        self._close.setAccessibleName(self.tr("Put this notice away"))
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.PADDING, metrics.GRID, metrics.GRID, metrics.GRID)
        row.setSpacing(metrics.GAP)
        for part in (self._sign, self._words, self.button, self.other, self.step, self._close):
            row.addWidget(part)
        row.setStretch(1, 1)
        for one in (self.step, self._close):
            one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.clicked.connect(self._act)
        self.other.clicked.connect(self._act_otherwise)
        self.step.clicked.connect(self._go_on)
        self._close.clicked.connect(self._put_away)
        self.setAccessibleName(self.tr("Notice"))
        self._show()

    @property
    def text(self) -> str:
        """The sentence that is shown, empty for none."""
        return self._words.text() if self._queue.shown is not None else ""

    def tell(self, notice: Notice) -> None:
        """Shows a notice in place of the last one with its key, or lets it wait behind what is graver."""
        self._queue.tell(notice)
        self._show()

    def withdraw(self, key: str) -> None:
        """Takes a notice back: what it told is no longer so."""
        if self._queue.withdraw(key):
            self._show()

    @Slot()
    def _act(self) -> None:
        notice = self._queue.shown
        if notice is not None and notice.act is not None:
            self.withdraw(notice.key)
            notice.act()

    @Slot()
    def _act_otherwise(self) -> None:
        notice = self._queue.shown
        if notice is not None and notice.act_otherwise is not None:
            self.withdraw(notice.key)
            notice.act_otherwise()

    @Slot()
    def _go_on(self) -> None:
        self._queue.step()
        self._show()

    @Slot()
    def _put_away(self) -> None:
        notice = self._queue.shown
        if notice is not None:
            self.withdraw(notice.key)

    def _show(self) -> None:
        notice = self._queue.shown
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
        self._show_place()

    def _show_place(self) -> None:
        """Which of how many this is; what points on stands behind the words, on the side that one reads to."""
        goes_right = self.isLeftToRight()
        self.step.setLayoutDirection(Qt.LayoutDirection.RightToLeft if goes_right else Qt.LayoutDirection.LeftToRight)
        self.step.setIcon(icon("chevron-right" if goes_right else "chevron-left"))
        self.step.setText(self.tr("{place} of {count}").format(place=self._queue.place, count=len(self._queue)))
        self.step.setAccessibleName(
            self.tr("Notice {place} of {count}; show the next one").format(
                place=self._queue.place, count=len(self._queue)
            )
        )
        self.step.setVisible(len(self._queue) > 1)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()
