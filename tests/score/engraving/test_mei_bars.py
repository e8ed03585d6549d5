"""Some bars of a score as MEI: the key and meter in force, numbers and ids of the whole song, no ties outwards."""

from __future__ import annotations

import re
from pathlib import Path

from yue2_desktop.score.engraving.mei import mei
from yue2_desktop.score.parser import parse

SCORE = parse((Path(__file__).parents[2] / "scores" / "05_full_changes.abc").read_text(encoding="utf-8")).score
WHOLE = mei(SCORE)


def test_all_bars_are_the_whole() -> None:
    assert mei(SCORE, bars=range(SCORE.bar_count)) == WHOLE


def test_a_part_begins_with_what_holds_there() -> None:
    part = mei(SCORE, bars=range(9, 10))
    assert re.findall(r'<measure [^>]*n="(\d+)"', part) == ["10"]
    assert re.findall(r'sig="(\w+)"', part) == ["1f", "1f"]
    assert re.findall(r'count="(\d)" unit="(\d)"', part) == [("5", "8"), ("5", "8")]
    assert "♩" not in part
    assert 'right="end"' not in part
    assert 'right="end"' in mei(SCORE, bars=range(10, 99))


def test_ties_that_leave_the_part_are_left_out() -> None:
    assert mei(SCORE, bars=range(3)).count("<tie ") == 1
    assert mei(SCORE, bars=range(2)).count("<tie ") == 0


def test_ids_are_those_of_the_whole_song() -> None:
    ids = [set(re.findall(r'xml:id="(v\dm\d+[nrh]\w+)"', mei(SCORE, bars=bars))) for bars in (range(5), range(5, 12))]
    assert ids[0] | ids[1] == set(re.findall(r'xml:id="(v\dm\d+[nrh]\w+)"', WHOLE))
    assert not ids[0] & ids[1]
