"""Where the parts of a job's line are: its stage, rate, plan, bar and remaining time, as many as have room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect

from yue2_desktop.ui.theme import metrics

BAR_WIDTH: Final = 15 * metrics.GRID
BAR_LEAST: Final = 5 * metrics.GRID
#: So small a bar is still good enough to make room for the plan.
_BAR_SMALL: Final = 8 * metrics.GRID
#: A plan that is cut shorter than this says nothing.
_PLAN_LEAST: Final = 14 * metrics.GRID


@dataclass(frozen=True)
class JobWords:
    """What a line says; `has_bar` is whether a share is to be drawn."""

    text: str
    rate: str = ""
    plan: str = ""
    time: str = ""
    has_bar: bool = False


@dataclass(frozen=True)
class JobLine:
    """Rectangles of one line, from left to right; an empty one is not shown. Text and plan may have to be cut."""

    text: QRect
    rate: QRect
    plan: QRect
    bar: QRect
    time: QRect


def job_line(room: QRect, words: JobWords, advance: Callable[[str], int]) -> JobLine:
    """The parts in `room`; `advance` gives the width of a text in the font of the line.

    What has no room is left out: the plan first, then the rate, the bar, the time. The bar is made small before that.
    """
    gap = metrics.GROUP_GAP
    left, right = room.left(), room.left() + room.width()

    def at(x: int, width: int) -> QRect:
        return QRect(x, room.top(), max(0, width), room.height())

    def wide(text: str) -> int:
        # Advances are rounded, and a text that is a little wider would be cut.
        return advance(text) + 2 if text else 0

    time = rate = plan = bar = at(left, 0)
    needed = wide(words.time)
    if needed and room.width() > needed + 2 * BAR_WIDTH:
        time = at(right - needed, needed)
        right = time.left() - gap
    x = left + wide(words.text)
    needed = wide(words.rate)
    if needed and right - x >= gap + needed + (gap + BAR_LEAST if words.has_bar else 0):
        rate = at(x + gap, needed)
        x = rate.left() + needed
    if words.has_bar and right - x >= gap + BAR_LEAST:
        width = _bar_width(right - x - gap, wide(words.plan))
        bar = at(right - width, width)
        right = bar.left() - gap
    needed = wide(words.plan)
    if needed and right - x >= gap + min(needed, _PLAN_LEAST):
        plan = at(x + gap, min(needed, right - x - gap))
    alone = not rate.width() and not plan.width()
    return JobLine(at(left, right - left if alone else wide(words.text)), rate, plan, bar, time)


def _bar_width(room: int, plan: int) -> int:
    """How wide the bar is where it and the plan, `plan` wide, share `room`."""
    for beside in (plan, min(plan, _PLAN_LEAST)):
        width = min(BAR_WIDTH, room - beside - metrics.GROUP_GAP)
        if beside and width >= _BAR_SMALL:
            return width
    return min(BAR_WIDTH, room)
