"""Scores in parts: all bars once, the picture of the whole, and what is kept after an edit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from yue2_desktop.score.engraving.engrave import Layout, engrave
from yue2_desktop.score.parser import parse
from yue2_desktop.ui.score.parts import MOST_BARS, cuts, draw

SCORES = Path(__file__).parents[2] / "scores"
NAMES = sorted(path.name for path in SCORES.glob("*.abc"))


def read(name: str):
    return parse((SCORES / name).read_bytes().decode("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_every_bar_is_in_one_part_and_no_part_is_long(name: str) -> None:
    score = read(name).score
    parts = cuts(score)
    assert [bar for part in parts for bar in part] == list(range(score.bar_count))
    assert all(0 < len(part) <= MOST_BARS for part in parts)


@pytest.mark.parametrize("name", ["05_full_changes.abc", "06_full_tuplets.abc", "20_bad_barlen.abc"])
def test_parts_draw_what_the_whole_draws(name: str) -> None:
    score = read(name).score
    made = draw(score, 180, "#000000")
    assert made is not None
    whole = engrave(score, Layout(width=180, height=None)).page(0)
    notes = {one for one in whole.boxes if re.match(r"v\dm\d+[nrhbl]", one)}
    assert {one for part in made.parts for one in part.page.boxes} >= notes


def test_a_part_has_the_key_and_meter_that_hold_there() -> None:
    score = read("05_full_changes.abc").score
    made = draw(score, 180, "#000000")
    assert made is not None
    assert [part.bars for part in made.parts] == [range(5), range(5, 9), range(9, 10), range(10, 12)]
    # F major has one flat, a signature of its own kind on each of the two staves; E major has four sharps.
    keys = [len({one for one in part.page.boxes if re.match(r"v[12]m\d+k", one)}) for part in made.parts]
    assert all(count >= 2 for count in keys)
    assert made.page_of_bar(8) == 1
    assert made.page_of_bar(12) is None


def test_only_what_an_edit_changed_is_drawn_again() -> None:
    text = (SCORES / "10_full_long_104bars.abc").read_text(encoding="utf-8")
    first = draw(parse(text).score, 180, "#000000")
    assert first is not None
    at = text.index("% bridge")
    changed = text[:at] + re.sub(r"(?m)^(\".*?)[a-g](?=\d*\|)", r"\1b", text[at:], count=1)
    assert changed != text
    again = draw(parse(changed).score, 180, "#000000", first)
    assert again is not None
    same = sum(1 for old, new in zip(first.parts, again.parts, strict=True) if old is new)
    assert same == len(first.parts) - 2  # the bridge, and the part before it, which knows the bar behind its end


def test_it_gives_up_when_nobody_wants_it() -> None:
    assert draw(read("05_full_changes.abc").score, 180, "#000000", None, lambda: False) is None


def test_a_text_without_bars_has_no_parts() -> None:
    made = draw(read("33_bad_empty.abc").score, 180, "#000000")
    assert made is not None
    assert made.page_count == 0
