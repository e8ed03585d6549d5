"""What keys on the notation mean, without a window."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from yue2_desktop.score.elements import Voice
from yue2_desktop.score.engraving.ids import Kind
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.score import moves

TEXT = (Path(__file__).parents[2] / "scores" / "05_full_changes.abc").read_text(encoding="utf-8")
PARSED = parse(TEXT)
MAP = ScoreMap(PARSED.score)


def note(at: int, voice: Voice = Voice.VOCAL):
    return [one for one in MAP.elements if one.voice is voice and one.kind is Kind.NOTE][at]


def music(text: str) -> str:
    """The first line of music."""
    return text.splitlines()[10]


def test_arrows_go_through_notes_and_rests_of_one_voice() -> None:
    first = moves.neighbour(MAP, None, 1)
    assert first is not None
    assert first.kind is Kind.REST
    assert moves.neighbour(MAP, first, 1) == note(0)
    assert moves.neighbour(MAP, first, -1) == first
    assert moves.bar_step(MAP, note(0), 1) == note(3)


def test_the_other_voice_at_the_same_time() -> None:
    other = moves.across(MAP, note(0))
    assert other is not None
    assert (other.voice, other.kind, other.bar) == (Voice.INS, Kind.REST, 0)


@pytest.mark.parametrize(
    ("semitones", "written"), [(1, '"E"z8=c8'), (-1, '"E"z8^A8'), (12, '"E"z8b8'), (-12, '"E"z8B,8')]
)
def test_pitches(semitones: int, written: str) -> None:
    assert music(moves.moved_pitch(PARSED, note(0), semitones).apply(TEXT)).startswith(written)


def test_a_rest_becomes_a_note() -> None:
    rest = moves.neighbour(MAP, None, 1)
    assert music(moves.moved_pitch(PARSED, rest, 1).apply(TEXT)).startswith('"E"E8B8')


def test_lengths_are_those_that_have_a_sign() -> None:
    shorter = moves.moved_length(PARSED, note(0), -1).apply(TEXT)
    assert music(shorter).startswith('"E"z8B6')
    assert parse(shorter).diagnostics == ()
    longer = moves.moved_length(PARSED, note(0), 1).apply(TEXT)
    assert music(longer).startswith('"E"z8B12')
    assert parse(longer).diagnostics == ()


def test_silence() -> None:
    assert music(moves.silenced(PARSED, note(0)).apply(TEXT)).startswith('"E"z8z8B8')


def test_nothing_chosen_says_what_to_do() -> None:
    for operation in (lambda: moves.moved_pitch(PARSED, None, 1), lambda: moves.chord_place(PARSED, None)):
        with pytest.raises(Problem, match="Choose a note first"):
            operation()


def test_a_silent_bar_says_what_to_do() -> None:
    rest = moves.neighbour(MAP, note(0, Voice.INS), -99)
    with pytest.raises(Problem, match="A bar of silence has no notes yet"):
        moves.moved_pitch(PARSED, rest, 1)


def test_where_chords_stand() -> None:
    assert moves.chord_place(PARSED, note(0)) == (0, Fraction(1), "")
    assert moves.chord_place(PARSED, moves.neighbour(MAP, None, 1)) == (0, Fraction(0), "E")


def test_the_same_place_after_an_edit() -> None:
    text = moves.moved_pitch(PARSED, note(0), 1).apply(TEXT)
    again = moves.after_edit(ScoreMap(parse(text).score), note(0))
    assert again is not None
    assert (again.onset, again.voice, again.span.end) == (Fraction(1), Voice.VOCAL, note(0).span.end + 1)
