"""Where the parts of a row are: one layout, for painting and for the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect

from yue2_desktop.ui.theme import metrics

ROW_HEIGHT: Final = 5 * metrics.GRID
_STAR: Final = metrics.ICON + metrics.GRID
_BUTTON: Final = metrics.COMPACT_HEIGHT
_WAVE_SHARE: Final = 0.36
_WAVE_LEAST, _WAVE_MOST = 64, 420
_MIDDLE_LEAST: Final = 120


@dataclass(frozen=True)
class Places:
    """Rectangles of one row, from left to right; an empty one is not shown.

    `lead` is the seed or the title; a job uses `wave`, `words` and `date` for its stage and bar.
    """

    star: QRect
    number: QRect
    lead: QRect
    wave: QRect
    words: QRect
    date: QRect
    play: QRect
    more: QRect


def places(row: QRect, widths: Sequence[int]) -> Places:
    """The parts of a row in `row`; `widths` are those of number, beginning and date in this font."""
    number, lead, date = widths
    x, top, height = row.x() + metrics.GRID, row.y(), row.height()

    def cut(width: int, gap: int = metrics.GAP) -> QRect:
        nonlocal x
        made = QRect(x, top, width, height)
        x += width + (gap if width else 0)
        return made

    right = row.right() + 1 - metrics.GRID

    def cut_right(width: int, gap: int = 0) -> QRect:
        nonlocal right
        right -= width
        made = QRect(right, top, width, height)
        right -= gap if width else 0
        return made

    more = cut_right(_BUTTON)
    play = cut_right(_BUTTON, metrics.GAP)
    star_place, number_place = cut(_STAR, metrics.NEAR), cut(number)
    free = right - x
    dated = date if free > lead + date + _MIDDLE_LEAST + 2 * metrics.GAP else 0
    date_place = cut_right(dated, metrics.GROUP_GAP)
    led = lead if right - x > lead + _MIDDLE_LEAST + metrics.GAP else 0
    lead_place = cut(led, metrics.GROUP_GAP)
    room = right - x
    wave = min(_WAVE_MOST, int(room * _WAVE_SHARE))
    wave_place = cut(wave if wave >= _WAVE_LEAST else 0, metrics.GROUP_GAP)
    words = QRect(x, top, max(0, right - x), height)
    return Places(star_place, number_place, lead_place, wave_place, words, date_place, play, more)
