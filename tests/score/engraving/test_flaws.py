"""Flawed bars as data."""

from __future__ import annotations

import pytest

from tests.score.samples import GOOD, MALFORMED
from yue2_desktop.score.elements import Voice
from yue2_desktop.score.engraving.flaws import flaws
from yue2_desktop.score.engraving.sheet import sheet
from yue2_desktop.score.engraving.tint import DARK, LIGHT, Palette
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("20_bad_barlen", [(Voice.VOCAL, 3), (Voice.VOCAL, 4)]),
        ("23_bad_unknown_chords", [(Voice.VOCAL, 3), (Voice.VOCAL, 5), (Voice.VOCAL, 13)]),
        ("27_bad_barcount_mismatch", [(Voice.INS, 5)]),
        ("28_bad_tie_to_rest", [(Voice.VOCAL, 4), (Voice.VOCAL, 5)]),
        ("34_bad_pitch_range", [(Voice.VOCAL, 2)]),
    ],
)
def test_the_bars_with_errors(name: str, places: list[tuple[Voice | None, int]]) -> None:
    found = flaws(parse(MALFORMED[name]))
    assert [(one.voice, one.bar) for one in found if one.is_error] == places


@pytest.mark.parametrize("name", GOOD)
def test_good_scores_have_none(name: str) -> None:
    assert flaws(parse(GOOD[name])) == ()


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_flawed_bars_are_tinted_and_can_be_left_plain(palette: Palette) -> None:
    parsed = parse(MALFORMED["20_bad_barlen"])
    assert sheet(parsed, palette=palette)[0].svg.count(f'"{palette.error}"') == 2
    assert palette.error not in sheet(parsed, palette=palette, marked=False)[0].svg


@pytest.mark.parametrize(
    ("name", "sentence"), [("32_bad_foreign_abc", "score import"), ("33_bad_empty", "The score is empty")]
)
def test_what_has_no_bars_is_said(name: str, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        sheet(parse(MALFORMED[name]))
