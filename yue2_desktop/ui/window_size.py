"""How large the window is at first: as designed, and never larger than what of the screen is free."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize

from yue2_desktop.ui.theme import metrics

#: Room for three rows of takes below words and score side by side.
DESIGNED: Final = QSize(1280, 832)
#: What a system puts around a window: borders at the sides, a title bar on top. It is not known before it is shown.
_FRAME: Final = QSize(16, 48)


def first_size(available: QSize) -> QSize:
    """The inner size of a new window on a screen with so much room beside its task bar, all in logical pixels."""
    return DESIGNED.boundedTo(available - _FRAME).expandedTo(QSize(*metrics.SMALLEST))
