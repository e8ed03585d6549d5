"""The choices beside the fit line: how the song is computed, and in how many steps."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDialog, QMenu, QPushButton, QWidget

from yue2_desktop.song.render_settings import DRAFT_STEPS, FINAL_STEPS, MAX_STEPS, MODES, SKETCH_STEPS, Mode
from yue2_desktop.ui.dialogs.number import NumberDialog


class ModeButton(QPushButton):
    """The modes by the names that users see."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "flat")
        self.setProperty("menu", True)
        self._names: dict[Mode, str] = {
            "auto": self.tr("Best that fits"),
            "bf16": self.tr("BF16, both halves on the card"),
            "offload-ar": self.tr("BF16, halves parked in memory"),
            "fp8": self.tr("FP8, smaller and another take"),
            "gguf": self.tr("GGUF, smaller weights"),
        }
        menu = QMenu(self)
        group = QActionGroup(self)
        for mode in MODES:
            action = menu.addAction(self._names[mode])
            action.setCheckable(True)
            action.setData(mode)
            group.addAction(action)
        group.triggered.connect(self._triggered)
        self._group = group
        self.setMenu(menu)
        self.show_mode("auto")

    def show_mode(self, mode: Mode) -> None:
        """Shows what the song has."""
        self.setText(self._names[mode] if mode == "auto" else mode)
        self.setAccessibleName(self.tr("Mode: {}").format(self._names[mode]))
        self.setToolTip(self.tr("How the song is computed: {}").format(self._names[mode]))
        for action in self._group.actions():
            action.setChecked(action.data() == mode)

    @Slot(QAction)
    def _triggered(self, action: QAction) -> None:
        self.chosen.emit(action.data())


class StepsButton(QPushButton):
    """The steps of the sound by their names, or any other number."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "flat")
        self.setProperty("menu", True)
        self._names = {
            FINAL_STEPS: self.tr("Final, {} steps"),
            SKETCH_STEPS: self.tr("Sketch, {} steps"),
            DRAFT_STEPS: self.tr("Draft, {} steps"),
        }
        self._steps = FINAL_STEPS
        menu = QMenu(self)
        group = QActionGroup(self)
        for steps, name in self._names.items():
            action = menu.addAction(name.format(steps))
            action.setCheckable(True)
            action.setData(steps)
            group.addAction(action)
        group.triggered.connect(self._triggered)
        menu.addSeparator()
        menu.addAction(self.tr("Other…")).triggered.connect(self._ask)
        self._group = group
        self.setMenu(menu)
        self.show_steps(FINAL_STEPS)

    def show_steps(self, steps: int) -> None:
        """Shows what the song has."""
        self._steps = steps
        text = self._names.get(steps, self.tr("{} steps")).format(steps)
        self.setText(text)
        self.setAccessibleName(self.tr("Quality: {}").format(text))
        self.setToolTip(self.tr("Fewer steps are quicker; a draft and its final are the same song"))
        for action in self._group.actions():
            action.setChecked(action.data() == steps)

    @Slot(QAction)
    def _triggered(self, action: QAction) -> None:
        self.chosen.emit(action.data())

    @Slot()
    def _ask(self) -> None:
        words = self.tr("How often the sound is gone over, 1 to {}. More is cleaner and takes longer").format(MAX_STEPS)
        dialog = NumberDialog(self.tr("Steps of the sound"), words, self._steps, 1, MAX_STEPS, self.window())
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.chosen.emit(dialog.value)
        dialog.deleteLater()
