"""The song that is timed."""

from __future__ import annotations

from tests.score.samples import GOOD
from yue2_desktop.score.bench import measure, song
from yue2_desktop.score.parser import parse


def test_it_is_a_clean_song_of_104_bars() -> None:
    parsed = parse(song())
    assert parsed.diagnostics == ()
    assert parsed.score.bar_count == 104
    assert round(parsed.score.seconds) == round(parse(GOOD["10_full_long_104bars"]).score.seconds) == 212


def test_each_figure_is_measured() -> None:
    found = measure(runs=1)
    assert [one.limit for one in found] == [15, 15, 200, 100, 1500]
    assert all(0 < one.best <= one.milliseconds for one in found)
