"""The sections of the lyrics as a list: where the cursor is, and a way to each of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from yue2_desktop.song.lyrics.outline import Outline
from yue2_desktop.ui.theme.metrics import GRID
from yue2_desktop.ui.theme.qt_palette import current_palette

_LOOK = """
SectionList { background: transparent; }
SectionList::item { padding: 4px 8px; border-radius: 4px; }
SectionList::item:selected { background: palette(highlight); color: palette(highlighted-text); }
SectionList:focus { border: 1px solid palette(link); border-radius: 6px; }
"""


class SectionList(QListWidget):
    """`gone_to` carries the section's start in characters; `entered` says that Enter was pressed on it."""

    gone_to = Signal(int)
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._starts: list[int] = []
        self._labels: list[tuple[str, bool]] = []
        self._quiet = False
        self.setAccessibleName(self.tr("Sections"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setStyleSheet(_LOOK)
        self.setMinimumWidth(8 * GRID)
        self.currentRowChanged.connect(self._go)
        self.itemClicked.connect(self._click)
        self.itemActivated.connect(self._enter)

    def show_outline(self, outline: Outline) -> None:
        """Shows the sections; the list is made anew only where names changed."""
        labels = [(section.label or self.tr("Opening words"), section.has_words) for section in outline.sections]
        self._starts = [section.start for section in outline.sections]
        if labels == self._labels:
            return
        self._labels = labels
        self._quiet = True
        row = self.currentRow()
        self.clear()
        for label, has_words in labels:
            item = QListWidgetItem(label)
            item.setToolTip(label if has_words else self.tr("{section}, without words").format(section=label))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, item.toolTip())
            if not has_words:
                item.setForeground(QColor(current_palette().quiet))
            self.addItem(item)
        self.setCurrentRow(min(row, self.count() - 1))
        self._quiet = False

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: sections without words keep the quiet colour of the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for row in range(self.count()):
                if not self._labels[row][1]:
                    self.item(row).setForeground(QColor(current_palette().quiet))

    def follow(self, outline: Outline, offset: int) -> None:
        """Marks the section that holds a character, the cursor's."""
        section = outline.section_at(offset)
        self._quiet = True
        self.setCurrentRow(-1 if section is None else section.index)
        self._quiet = False

    @Slot(int)
    def _go(self, row: int) -> None:
        if not self._quiet and 0 <= row < len(self._starts):
            self.gone_to.emit(self._starts[row])

    @Slot(QListWidgetItem)
    def _click(self, item: QListWidgetItem) -> None:
        # A click on the section that is current already goes to its head, too.
        self._go(self.row(item))
        self.entered.emit()

    @Slot(QListWidgetItem)
    def _enter(self, item: QListWidgetItem) -> None:
        self._go(self.row(item))
        self.entered.emit()
