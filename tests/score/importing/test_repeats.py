"""Repeats written out."""

from __future__ import annotations

import pytest

from yue2_desktop.score.importing.repeats import BarSigns, played_order
from yue2_desktop.score.importing.sketch import MAX_BARS
from yue2_desktop.song.errors import Problem

PLAIN, BEGIN, END = BarSigns(), BarSigns(begins=True), BarSigns(times=2)
FIRST, SECOND = BarSigns(times=2, endings=frozenset({1})), BarSigns(endings=frozenset({2}))


@pytest.mark.parametrize(
    ("signs", "order"),
    [
        ([], []),
        ([PLAIN, PLAIN], [0, 1]),
        ([PLAIN, END, PLAIN], [0, 1, 0, 1, 2]),
        ([PLAIN, BEGIN, END, PLAIN], [0, 1, 2, 1, 2, 3]),
        ([BarSigns(begins=True, times=2), PLAIN], [0, 0, 1]),
        ([BarSigns(times=3)], [0, 0, 0]),
        ([BEGIN, FIRST, SECOND, PLAIN], [0, 1, 0, 2, 3]),
        ([PLAIN, END, BEGIN, END], [0, 1, 0, 1, 2, 3, 2, 3]),
        ([PLAIN, FIRST, SECOND, PLAIN, FIRST, SECOND], [0, 1, 0, 2, 3, 4, 3, 5]),
        ([SECOND, PLAIN], [1]),
    ],
)
def test_bars_in_the_order_in_which_they_are_played(signs: list[BarSigns], order: list[int]) -> None:
    assert played_order(signs) == order


def test_a_song_without_end_is_refused() -> None:
    with pytest.raises(Problem, match="cut it to one song"):
        played_order([BarSigns(times=8)] * MAX_BARS)
