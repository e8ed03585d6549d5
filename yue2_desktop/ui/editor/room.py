"""How much height the editor has: where it is little, the words keep their lines and the rest gives way."""

from __future__ import annotations

from enum import IntEnum

from yue2_desktop.ui.theme.metrics import GRID


class Room(IntEnum):
    """In steps; comparable."""

    #: A notice above the panels in the smallest window.
    TIGHT = 0
    #: The smallest window.
    SHORT = 1
    AMPLE = 2

    @property
    def style_rows(self) -> int:
        """Rows of chips that are in view at once; the others come by scrolling."""
        return (1, 2, 4)[self]


def room_of(height: int) -> Room:
    """The room of so many pixels."""
    if height < 42 * GRID:
        return Room.TIGHT
    return Room.SHORT if height < 60 * GRID else Room.AMPLE
