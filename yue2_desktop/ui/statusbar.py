"""The line at the bottom: the device, its free memory, the engine, and that nothing leaves this machine."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QStatusBar, QWidget

from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.sizes import gib
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.qt_palette import current_palette


@dataclass(frozen=True)
class DeviceWords:
    """The device and its free memory in words."""

    device: str
    free: str


def device_words(machine: MachineFacts) -> DeviceWords:
    """What songs are rendered on: the first card, or the processor."""
    if machine.gpus:
        card = machine.gpus[0]
        free = "" if card.free_bytes is None else f"{gib(card.free_bytes)} free"
        return DeviceWords(card.label, free)
    return DeviceWords(
        machine.cpu.name or "processor", "" if machine.ram_free is None else f"{gib(machine.ram_free)} free"
    )


class StatusBar(QStatusBar):
    """Values only; `free_memory_requested` is for whoever holds the engine."""

    free_memory_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setContentsMargins(metrics.GRID, 0, metrics.GRID, 0)
        self._device, self._free, self._engine, self._test, self._offline = (QLabel() for _ in range(5))
        self._free.setFont(number_font(self.font()))
        self._button = QPushButton(self.tr("Free memory"))
        self._button.setProperty("kind", "flat")
        self._button.setIconSize(QSize(metrics.ICON, metrics.ICON))
        self._button.setToolTip(self.tr("Drops the model from memory until the next render"))
        self._button.setAccessibleName(self._button.text())
        self._button.clicked.connect(self.free_memory_requested)
        self._test.setText(self.tr("test model: noise"))
        self._test.setToolTip(
            self.tr("The test model renders: its sound is noise. Another models folder in the preferences ends that")
        )
        self._test.setAccessibleName(self.tr("The test model renders: its sound is noise"))
        self._test.hide()
        self._offline.setText(self.tr("offline"))
        self._offline.setToolTip(self.tr("Nothing of your songs is sent anywhere"))
        for label in (self._device, self._free, self._engine, self._test):
            label.setProperty("role", "quiet")
            label.setContentsMargins(0, 0, metrics.GROUP_GAP, 0)
            self.addWidget(label)
        self._offline.setProperty("role", "quiet")
        self.addPermanentWidget(self._button)
        self.addPermanentWidget(self._offline)
        self.set_device(DeviceWords(self.tr("looking at this machine…"), ""))
        self.set_engine(self.tr("engine not started"), can_free=False)
        self._colour()
        self.setSizeGripEnabled(False)

    def set_device(self, words: DeviceWords) -> None:
        """Shows the device."""
        self._device.setText(words.device)
        self._free.setText(words.free)
        self._free.setVisible(bool(words.free))

    def set_engine(self, words: str, *, can_free: bool) -> None:
        """Shows the engine's state, and whether it holds memory that it could give back."""
        self._engine.setText(words)
        self._button.setEnabled(can_free)

    def set_test_model(self, *, in_use: bool) -> None:
        """Says, as long as the test model is in use, that what it makes is no music."""
        self._test.setVisible(in_use)

    @property
    def engine_text(self) -> str:
        """The engine's state as it is shown."""
        return self._engine.text()

    def _colour(self) -> None:
        self._button.setIcon(icon("memory", colour=current_palette().quiet))

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
