"""From the text to elements and from times to elements."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.score.samples import GOOD, MALFORMED, bare, song
from yue2_desktop.score.elements import Voice
from yue2_desktop.score.engraving.ids import NOWHERE, ElementId, Kind
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.parser import parse


def mapped(text: str) -> ScoreMap:
    return ScoreMap(parse(text).score)


@pytest.mark.parametrize("name", [*GOOD, *MALFORMED])
def test_each_element_is_found_by_its_id_and_by_its_place(name: str) -> None:
    found = mapped({**GOOD, **MALFORMED}[name])
    assert len({one.name for one in found.elements}) == len(found.elements)
    for one in found.elements:
        assert found.by_id(one.name) is one or one.span == NOWHERE
        if one.span != NOWHERE:
            assert one in found.at_text(one.span.line, one.span.column)


@pytest.mark.parametrize(
    ("line", "column", "kinds"),
    [
        (3, 3, [Kind.METER, Kind.METER]),
        (5, 1, [Kind.TEMPO]),
        (9, 3, [Kind.LABEL]),
        (11, 2, [Kind.CHORD, Kind.BAR]),
        (11, 4, [Kind.NOTE, Kind.BAR]),
        (11, 7, [Kind.BAR]),  # the bar line
        (12, 1, []),
        (99, 1, []),
    ],
)
def test_a_place_of_the_text_is_the_most_particular_element_first(line: int, column: int, kinds: list[Kind]) -> None:
    assert [one.kind for one in mapped(bare('"C"c16|')).at_text(line, column)] == kinds


def test_a_run_of_rests_is_an_element_in_each_of_its_bars() -> None:
    found = mapped(bare("c16|c16|c16|", "Z3|"))
    rests = [one for one in found.at_text(13, 1) if one.kind is Kind.REST]
    assert [one.bar for one in rests] == [0, 1, 2]
    assert [one.onset for one in rests] == [0, 4, 8]


def test_a_time_is_what_sounds_in_each_voice() -> None:
    found = mapped(GOOD["03_full_waltz_Gm"])
    at = found.at_time(Fraction(17, 2))
    assert [(one.voice, one.kind) for one in at] == [(Voice.VOCAL, Kind.REST), (Voice.INS, Kind.NOTE)]
    assert all(one.onset <= Fraction(17, 2) < one.onset + one.duration for one in at)
    assert found.at_time(Fraction(-1)) == ()
    assert found.at_time(Fraction(10000)) == ()


def test_floats_are_times_too() -> None:
    found = mapped(GOOD["06_full_tuplets"])
    assert found.at_time(0.7) == found.at_time(Fraction(7, 10))


@pytest.mark.parametrize(("time", "bar"), [(0, 0), (Fraction(31, 8), 0), (4, 1), (-1, None), (56, None)])
def test_the_bar_at_a_time(time: Fraction | int, bar: int | None) -> None:
    score_map = mapped(GOOD["02_melody_ode"])
    assert score_map.bar_at(Fraction(time)) == bar or time == 56
    assert score_map.bar_at(score_map.score.duration) is None


def test_a_signature_at_the_start_of_a_line_is_the_one_in_force() -> None:
    found = mapped(song("G8|A8|", "Z2|", fields="M:2/4\nK:D\n"))
    for bar, line in ((0, 8), (3, 8), (4, 17), (5, 17)):
        one = found.by_id(ElementId(Voice.VOCAL, bar, Kind.KEY, NOWHERE).text)
        assert one is not None
        assert one.span.line == line


@pytest.mark.parametrize("name", ["", "x", "v1m0n1c1e2", "v1m999k0c0e0x"])
def test_an_unknown_id_is_nothing(name: str) -> None:
    assert mapped(GOOD["01_full_twinkle"]).by_id(name) is None
