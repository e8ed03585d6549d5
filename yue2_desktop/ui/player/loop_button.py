"""What is looped: nothing, the whole song, a section, or the part that was dragged."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from yue2_desktop.ui.player.playable import Section
from yue2_desktop.ui.takes.words import clock
from yue2_desktop.ui.theme.icons import icon


class LoopButton(QToolButton):
    """`chosen` carries a pair of seconds, or None for no loop."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sections: tuple[Section, ...] = ()
        self._length = 0.0
        self._loop: tuple[float, float] | None = None
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._menu.triggered.connect(self._triggered)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCheckable(True)
        self.show_loop(None)

    def set_sound(self, length: float, sections: tuple[Section, ...]) -> None:
        """What can be looped."""
        self._length, self._sections = length, sections

    def show_loop(self, loop: tuple[float, float] | None) -> None:
        """Shows what is looped."""
        self._loop = loop
        name = self.tr("Loop: off")
        if loop is not None:
            name = self.tr("Loop: {start} to {stop}").format(start=clock(loop[0]), stop=clock(loop[1]))
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setChecked(loop is not None)
        self._colour()

    @Slot()
    def _fill(self) -> None:
        self._menu.clear()
        entries: list[tuple[str, tuple[float, float] | None]] = [
            (self.tr("No loop"), None),
            (self.tr("The whole song"), (0.0, self._length)),
        ]
        if self._length <= 0:
            entries = entries[:1]
        for text, loop in entries:
            self._add(text, loop)
        if self._sections:
            self._menu.addSeparator()
        for section in self._sections:
            text = self.tr("{section}, {start} to {stop}").format(
                section=section.name, start=clock(section.start), stop=clock(section.stop)
            )
            self._add(text, (section.start, section.stop))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Drag over the waveform to loop any part")).setEnabled(False)

    def _add(self, text: str, loop: tuple[float, float] | None) -> None:
        action = self._menu.addAction(text.replace("&", "&&"))
        action.setData((loop,))
        action.setCheckable(True)
        action.setChecked(loop == self._loop)

    @Slot(QAction)
    def _triggered(self, action: QAction) -> None:
        if action.data() is not None:
            self.chosen.emit(action.data()[0])

    def _colour(self) -> None:
        self.setIcon(icon("loop"))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
