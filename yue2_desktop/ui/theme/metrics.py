"""The measures of the window in device-independent pixels: one grid of eight."""

from __future__ import annotations

from typing import Final

GRID: Final = 8
#: Between a panel's edge and what is in it.
PADDING: Final = 2 * GRID
#: Between controls that belong together, and between groups.
GAP: Final = GRID
GROUP_GAP: Final = 2 * GRID
#: Between the words of a label and what it labels.
NEAR: Final = GRID // 2
CONTROL_HEIGHT: Final = 32
COMPACT_HEIGHT: Final = 28
RADIUS: Final = 6
ICON: Final = 16
ICON_TOOLBAR: Final = 20
ICON_LARGE: Final = 24
#: The smallest window that everything has a place in.
SMALLEST: Final = (1024, 640)
#: What a link's frame and padding are wide: its words begin that far inside.
LINK_EDGE: Final = 5
