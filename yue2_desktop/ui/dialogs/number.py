"""A number that is asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QSpinBox, QWidget

from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet, roomy
from yue2_desktop.ui.theme import metrics

_Buttons = QDialogButtonBox.StandardButton
_WIDTH = 40 * metrics.GRID


class NumberDialog(FramedDialog):
    """`value` is the number, from `least` to `most`; `name` is what a screen reader calls it."""

    def __init__(
        self, name: str, explained: str, value: int, least: int, most: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, _Buttons.Ok | _Buttons.Cancel, parent)
        self.setMinimumWidth(_WIDTH)
        self._spin = roomy(QSpinBox(minimum=least, maximum=most, value=value))
        self._spin.setAccessibleName(name)
        self.column.addWidget(quiet(explained))
        self.column.addWidget(self._spin)
        self._spin.selectAll()

    @property
    def value(self) -> int:
        """The number as it is now."""
        return self._spin.value()
