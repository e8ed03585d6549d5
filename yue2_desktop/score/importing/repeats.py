"""Repeats and endings written out: the order in which bars are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yue2_desktop.score.importing.sketch import MAX_BARS
from yue2_desktop.song.errors import Problem, ProblemKind

_MOST_TIMES = 8


@dataclass(frozen=True, slots=True)
class BarSigns:
    """The signs at one bar: whether a repeat begins with it, how often the part up to it is played, its endings.

    `times` is 0 without a closing repeat; `endings` has the numbers of the ending that the bar is in, or none.
    """

    begins: bool = False
    times: int = 0
    endings: frozenset[int] = frozenset()


def played_order(signs: Sequence[BarSigns]) -> list[int]:
    """Return the indices of the bars in the order in which they are played.

    Raises Problem(BAD_FILE) where that would be more than `MAX_BARS` bars.
    """
    order: list[int] = []
    start, at, turn = 0, 0, 1
    while at < len(signs):
        sign = signs[at]
        if sign.begins and at != start and turn == 1:
            start = at
        if sign.endings and turn not in sign.endings:
            at, start, turn = _past_ending(signs, at, start, turn)
            continue
        order.append(at)
        if len(order) > MAX_BARS:
            raise Problem(
                ProblemKind.BAD_FILE,
                f"With its repeats the file has more than {MAX_BARS} bars; cut it to one song and import that.",
            )
        times = min(max(sign.times, 2), _MOST_TIMES) if sign.times else 0
        if times and turn < times:
            turn += 1
            at = start
            continue
        if times or (sign.endings and _is_last_ending(signs, at)):
            start, turn = at + 1, 1
        at += 1
    return order


def _past_ending(signs: Sequence[BarSigns], at: int, start: int, turn: int) -> tuple[int, int, int]:
    """Go past an ending that is not this turn's; where no other follows, the repeat is over."""
    endings = signs[at].endings
    while at < len(signs) and signs[at].endings == endings:
        at += 1
    if at < len(signs) and signs[at].endings:
        return at, start, turn
    return at, at, 1


def _is_last_ending(signs: Sequence[BarSigns], at: int) -> bool:
    return at + 1 >= len(signs) or not signs[at + 1].endings
