"""How loud it plays: a small slider, and a button that makes it silent and loud again."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.icons import icon

_WIDTH: Final = 10 * metrics.GRID
_FULL: Final = 100


class Volume(QWidget):
    """`changed` carries a gain from 0 to 1. The slider is even to the ear: the gain is its square."""

    changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mute = QToolButton()
        self.mute.setCheckable(True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _FULL)
        self.slider.setValue(_FULL)
        self.slider.setPageStep(10)
        self.slider.setFixedWidth(_WIDTH)
        self.slider.setAccessibleName(self.tr("Volume"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.NEAR)
        row.addWidget(self.mute)
        row.addWidget(self.slider)
        self.slider.valueChanged.connect(self._tell)
        self.mute.toggled.connect(self._tell)
        self._show()

    @property
    def gain(self) -> float:
        """The gain as it is set."""
        return 0.0 if self.mute.isChecked() else (self.slider.value() / _FULL) ** 2

    @Slot()
    def _tell(self) -> None:
        self._show()
        self.changed.emit(self.gain)

    def _show(self) -> None:
        muted = self.mute.isChecked()
        self.mute.setIcon(icon("mute" if muted or self.slider.value() == 0 else "volume"))
        words = self.tr("Make it heard again") if muted else self.tr("Make it silent")
        self.mute.setToolTip(words)
        self.mute.setAccessibleName(words)
        self.slider.setToolTip(self.tr("Volume: {} of {}").format(self.slider.value(), _FULL))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()
