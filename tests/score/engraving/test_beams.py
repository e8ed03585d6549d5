"""Beams."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.score.samples import bare
from yue2_desktop.score.elements import Meter, Voice
from yue2_desktop.score.engraving.beams import beamed, beat_starts
from yue2_desktop.score.notation.written import written_voice
from yue2_desktop.score.parser import parse


@pytest.mark.parametrize(
    ("meter", "starts"),
    [
        (Meter(4, 4), [0, 1, 2, 3]),
        (Meter(6, 8), [0, Fraction(3, 2)]),
        (Meter(9, 8), [0, Fraction(3, 2), 3]),
        (Meter(5, 8), [0, Fraction(3, 2)]),
        (Meter(7, 8), [0, Fraction(3, 2), Fraction(5, 2)]),
        (Meter(2, 2), [0, 2]),
    ],
)
def test_groups_begin_on_beats(meter: Meter, starts: list[Fraction]) -> None:
    assert list(beat_starts(meter)) == starts


@pytest.mark.parametrize(
    ("meter", "music", "beams"),
    [
        ("4/4", "c2c2c2c2c4c4|", [(0, 4)]),
        ("4/4", "c2c2c4c2c2c4|", [(0, 2), (3, 5)]),
        ("4/4", "c3c3c2c8|", [(0, 3)]),
        ("4/4", "c2z2c2c2c8|", [(2, 4)]),
        ("4/4", "c4c2c2c2c4c2|", [(1, 3)]),
        ("6/8", "c2c2c2c2c2c2|", [(0, 3), (3, 6)]),
        ("4/4", "(3c2c2c2(3c2c2c2c8|", [(0, 3), (3, 6)]),
        ("4/4", "cc'cc'c4z8|", [(0, 4)]),
        ("4/4", "c16|", []),
    ],
)
def test_short_notes_are_joined_within_their_beat(meter: str, music: str, beams: list[tuple[int, int]]) -> None:
    score = parse(bare(music, meter=meter)).score
    bar = written_voice(score, Voice.VOCAL)[0]
    assert list(beamed(bar.marks, bar.bar.meter)) == beams
