"""The small button beside a wrong tag that writes the right one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QKeyEvent, QTextBlock
from PySide6.QtWidgets import QToolButton, QWidget

from yue2_desktop.song.lyrics.outline import TagProblem
from yue2_desktop.ui.theme.metrics import GRID

_LONGEST = 24
_LOOK = """
FixButton { background: palette(button); border: 1px solid palette(dark); border-radius: 4px; padding: 0 6px; }
FixButton:hover { background: palette(midlight); }
FixButton:focus { border-color: palette(link); }
"""


def fix_text(problem: TagProblem) -> str:
    """What a fix does, in few words: `Write [Chorus]`, or `Take out`."""
    tag = problem.replacement.strip()
    if not tag:
        return QCoreApplication.translate("FixButton", "Take out")
    shown = tag if len(tag) <= _LONGEST else f"{tag[: _LONGEST - 1]}…"
    return QCoreApplication.translate("FixButton", "Write {tag}").format(tag=shown)


class FixButton(QToolButton):
    """Stands behind the words of a line; where they leave no room it stays away, and the notice below has the fix."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._offered: tuple[QTextBlock, TagProblem] | None = None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setStyleSheet(_LOOK)
        self.hide()

    @property
    def offered(self) -> tuple[QTextBlock, TagProblem] | None:
        """The block and the wrong tag in it (offsets in the block) that a click mends."""
        return self._offered

    def offer(self, block: QTextBlock, problem: TagProblem, row: QRect) -> None:
        """Shows itself for a wrong tag; `row` is around the words of its line's last row, in the view's pixels."""
        self._offered = block, problem
        self.setText(fix_text(problem))
        self.setAccessibleName(self.text())
        self.setToolTip(self.tr("{sentence} (Alt+Enter)").format(sentence=problem.sentence))
        size = self.sizeHint()
        view = self._viewport.rect()
        height = min(size.height(), row.height() + GRID // 2)
        # Beside the words in either direction, whichever the line is written in.
        places = (row.right() + GRID, row.left() - GRID - size.width())
        left = next((at for at in places if view.left() <= at and at + size.width() <= view.right() + 1), None)
        if left is not None:
            self.setGeometry(left, row.center().y() - height // 2, size.width(), height)
        self.setVisible(left is not None and view.intersects(self.geometry()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: Enter mends, too; it would go to the words below."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def withdraw(self) -> None:
        """Nothing to mend here."""
        self._offered = None
        self.hide()
