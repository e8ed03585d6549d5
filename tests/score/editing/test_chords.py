"""Chord symbols set, changed and removed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.samples import GOOD, attempt, bare, scores
from yue2_desktop.score.editing.chords import set_chord
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.keys import KEYS
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import chords, sounds
from yue2_desktop.song.errors import Problem


def music(line: str, bar: int, offset: Fraction | int, name: str | None) -> str:
    parsed = parse(bare(line, "Z|" if line.count("|") == 1 and line != "Z4|" else f"Z{4 if line == 'Z4|' else 2}|"))
    text = set_chord(parsed, bar, Fraction(offset), name).apply(parsed.text)
    return text.split("V: Vocal\n")[1].split("\n")[0]


@pytest.mark.parametrize(
    ("line", "offset", "name", "result"),
    [
        ("C8D8|", 0, "G", '"G"C8D8|'),
        ('"C"C8D8|', 0, "Am7", '"Am7"C8D8|'),
        ("C8D8|", 2, "G", 'C8"G"D8|'),
        ("C16|", 1, "G", 'C4-"G"C12|'),
        ("z16|", 1, "G", 'z4"G"z12|'),
        ("Z|", 0, "G", '"G"z16|'),
        ("Z|", 2, "G/B", 'z8"G/B"z8|'),
        ("^C16|", Fraction(5, 4), "G", '^C4-C-"G"C8-C3|'),
        ("(3C4D4E4F8|", 0, "G", '"G"(3C4D4E4F8|'),
        ("C8D8|", 0, "D♭Δ", '"Dbmaj7"C8D8|'),
        ("C8D8|", 0, "emin7", '"Em7"C8D8|'),
        ('"C"C8D8|', 0, None, "C8D8|"),
        ('C4-"G"C12|', 1, None, "C16|"),
        ('z8"G"z8|', 2, None, "Z|"),
        ('"C"z8"G"z8|', 2, None, '"C"z16|'),
        ('C4-"G"C8-C4|', 1, None, "C12-C4|"),
    ],
)
def test_chords_are_set_and_removed(line: str, offset: Fraction | int, name: str | None, result: str) -> None:
    assert music(line, 0, offset, name) == result


def test_a_run_of_silent_bars_is_divided() -> None:
    assert music("Z4|", 1, 0, "G") == 'Z|"G"z16|Z2|'


@pytest.mark.parametrize(
    ("line", "offset", "name", "why"),
    [
        ("C16|", 0, "Cmaj9", "'Cmaj9' is not in the vocabulary; the nearest is Cmaj7."),
        ("C16|", 0, "N.C.", "leave the chord out"),
        ("C16|", 4, "G", "4 lies outside it"),
        ("C16|", Fraction(1, 3), "G", "choose another beat"),
        ("(3C4D4E4F8|", Fraction(1, 4), "G", "choose another beat"),
        ("C16|", 0, None, "No chord stands 0 quarter notes into bar 1"),
    ],
)
def test_chords_that_cannot_stand_are_refused(line: str, offset: Fraction | int, name: str | None, why: str) -> None:
    with pytest.raises(Problem, match=why):
        music(line, 0, offset, name)


def test_a_bar_that_is_not_there_is_refused() -> None:
    with pytest.raises(Problem, match="Vocal has no bar 100"):
        set_chord(parse(GOOD["01_full_twinkle"]), 99, Fraction(0), "G")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=scores(), data=st.data())
def test_random_chords(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    bar = data.draw(st.sampled_from(parsed.score.vocal_bars))
    unit = parsed.score.header.unit_quarters
    offset = data.draw(st.integers(0, int(bar.meter.quarters / unit) - 1)) * unit
    name = KEYS[bar.key.name].usual(data.draw(st.integers(0, 11))).name
    edit = attempt(lambda: set_chord(parsed, bar.index, offset, name))
    if isinstance(edit, str):
        assert "choose another beat" in edit
        return
    after = parse(edit.apply(text))
    assert after.diagnostics == ()
    for voice in VOICES:
        assert [(one.onset, one.duration, one.pitch) for one in sounds(after.score, voice)] == [
            (one.onset, one.duration, one.pitch) for one in sounds(parsed.score, voice)
        ]
    old = {one.onset: one.symbol.text for one in chords(parsed.score)}
    assert {one.onset: one.symbol.text for one in chords(after.score)} == old | {bar.start + offset: name}
    if bar.start + offset not in old:
        back = parse(set_chord(after, bar.index, offset, None).apply(after.text))
        assert back.diagnostics == ()
        assert {one.onset: one.symbol.text for one in chords(back.score)} == old
