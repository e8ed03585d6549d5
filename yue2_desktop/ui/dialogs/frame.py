"""What all dialogs share: a heading, room around, and buttons at the bottom."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QSpinBox, QVBoxLayout, QWidget

from yue2_desktop.ui.tab_order import chain
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import title_font
from yue2_desktop.ui.wheel import CalmWheel


class FramedDialog(QDialog):
    """A dialog with a title line; its content goes into `column`."""

    def __init__(self, title: str, buttons: QDialogButtonBox.StandardButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        heading = QLabel(title, wordWrap=True)
        heading.setTextFormat(Qt.TextFormat.PlainText)
        heading.setFont(title_font(self.font()))
        self.column = QVBoxLayout()
        self.column.setSpacing(metrics.GAP)
        self._wheel = CalmWheel(self)
        self.buttons = QDialogButtonBox(buttons)
        for button in self.buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        room = metrics.PADDING + metrics.GRID
        whole.setContentsMargins(room, room, room, metrics.PADDING)
        whole.setSpacing(metrics.GROUP_GAP)
        whole.addWidget(heading)
        whole.addLayout(self.column, 1)
        whole.addWidget(self.buttons)

    def setVisible(self, visible: bool) -> None:
        """Qt's own: the keyboard begins with what the dialog is about; its buttons come last, as they stand."""
        if visible:
            self._wheel.watch(self)
            inside = self.chain_buttons()
            if inside and self.focusWidget() is None:
                inside[0].setFocus()
        super().setVisible(visible)

    def chain_buttons(self) -> list[QWidget]:
        """Puts the buttons behind all else for Tab, as they stand, and gives that; again where one was added."""
        buttons = self._buttons()
        inside = [one for one in self._takers() if one not in buttons]
        for before, behind in pairwise([*inside[-1:], *buttons]):
            self.setTabOrder(before, behind)
        return inside

    def event(self, event: QEvent) -> bool:
        """Qt's own: a line that comes into sight makes the dialog higher, rather than lie on what is there."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._grow()
        return done

    def _grow(self) -> None:
        layout = self.layout()
        if layout is None or not self.isVisible():
            return
        wide = self.width()
        needed = layout.totalHeightForWidth(wide) if layout.hasHeightForWidth() else layout.totalMinimumSize().height()
        if needed > self.height():
            self.resize(wide, needed)

    def _buttons(self) -> list[QWidget]:
        """As they stand, which is the system's affair."""
        row = self.buttons.layout()
        items = [] if row is None else [row.itemAt(place) for place in range(row.count())]
        return [one for item in items if item is not None and (one := item.widget()) is not None]

    def _takers(self) -> list[QWidget]:
        behind = chain(self)[1:]
        return [one for one in behind if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisibleTo(self)]


def quiet(text: str) -> QLabel:
    """A sentence of explanation."""
    label = QLabel(text, wordWrap=True)
    label.setProperty("role", "quiet")
    return label


def roomy(spin: QSpinBox) -> QSpinBox:
    """A spin box whose figures keep the distance from its edge that other fields have, which no style sheet gives."""
    spin.lineEdit().setTextMargins(metrics.GRID - 2, 0, 0, 0)
    return spin
