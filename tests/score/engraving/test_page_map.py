"""From points to elements, from text and times to boxes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from tests.score.samples import GOOD, MALFORMED, bare
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.engraving.boxes import Box
from yue2_desktop.score.engraving.engrave import engrave
from yue2_desktop.score.engraving.ids import Kind
from yue2_desktop.score.engraving.page_map import PageMap
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.parser import parse


def mapped(text: str) -> PageMap:
    score = parse(text).score
    return PageMap(ScoreMap(score), engrave(score))


@pytest.mark.parametrize("name", ["05_full_changes", "10_full_long_104bars"])
def test_text_to_box_to_text_is_the_same_element(name: str) -> None:
    pages = mapped(GOOD[name])
    for one in pages.score_map.elements:
        if one.kind not in {Kind.NOTE, Kind.REST, Kind.CHORD}:
            continue
        placed = pages.boxes(one)
        assert len(placed) == 1
        box = placed[0].box
        assert pages.hit(placed[0].page, box.x + box.width / 2, box.y + box.height / 2) == one


def test_a_click_beside_a_note_still_means_it_and_one_between_means_the_bar() -> None:
    pages = mapped(bare("c8z8|", "Z|"))
    note = pages.at_text(11, 1)[0]
    near = pages.hit(0, note.box.x - 100, note.box.y + note.box.height)
    assert near is not None
    assert near.kind is Kind.NOTE
    staff = pages.staves(0, Voice.VOCAL)[0].box
    between = pages.hit(0, (note.box.right + staff.right) / 2 - 500, staff.y + 2, reach=5.0)
    assert between is not None
    assert (between.kind, between.bar) == (Kind.BAR, 0)
    assert pages.hit(0, 0, 0) is None


def test_a_note_of_several_values_has_a_box_for_each() -> None:
    pages = mapped(bare("c5c11|"))
    note = pages.score_map.at_text(11, 1)[0]
    assert len(pages.boxes(note)) == 2


def test_a_run_of_rests_has_a_box_in_each_bar() -> None:
    pages = mapped(bare("c16|c16|c16|", "Z3|"))
    assert len(pages.at_text(13, 1)) == 3
    assert pages.at_text(99, 1) == ()


def test_the_first_key_and_meter_have_boxes() -> None:
    pages = mapped(GOOD["03_full_waltz_Gm"])
    assert len(pages.at_text(3, 3)) == 2
    assert len(pages.at_text(8, 3)) == 2


def test_times_have_boxes_in_both_voices_on_later_pages_too() -> None:
    pages = mapped(GOOD["10_full_long_104bars"])
    placed = pages.at_time(Fraction(400))
    assert [one.page for one in placed] == [placed[0].page] * 2
    assert placed[0].page > 0


def test_the_playhead_goes_forward_through_each_line_of_music() -> None:
    pages = mapped(GOOD["05_full_changes"])
    steps = [pages.playhead(Fraction(at, 4)) for at in range(int(pages.score_map.score.duration * 4))]
    assert None not in steps
    for one, two in pairwise(steps):
        assert one is not None
        assert two is not None
        if one.page == two.page and one.box.y == two.box.y:
            assert two.box.x >= one.box.x
    first = pages.score_map.at_time(Fraction(1))[0]
    head = pages.playhead(Fraction(1))
    assert head is not None
    assert head.box.x == pytest.approx(pages.boxes(first)[0].box.x)
    assert pages.playhead(Fraction(10**6)) is None


def test_an_app_may_give_its_own_boxes() -> None:
    score = parse(GOOD["09_full_onebar"]).score
    note = ScoreMap(score).at_text(11, 4)[0]
    pages = PageMap(ScoreMap(score), engrave(score), lambda page: {note.name: Box(1, 2, 3, 4)})
    assert pages.boxes(note)[0].box == Box(1, 2, 3, 4)
    assert pages.hit(0, 2, 3) == note


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_scores_can_be_clicked_anywhere(name: str) -> None:
    pages = mapped(MALFORMED[name])
    for x in range(0, 21000, 3000):
        for y in range(0, 20000, 1500):
            pages.hit(0, x, y)
    for bar in range(pages.score_map.score.bar_count):
        assert pages.bar(bar) is not None
        assert len(pages.staves(bar)) == len(VOICES)
    for at in range(0, int(pages.score_map.score.duration), 7):
        assert pages.playhead(Fraction(at)) is not None
