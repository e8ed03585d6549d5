"""Spelled pitches and the line of fifths."""

from __future__ import annotations

import pytest

from yue2_desktop.score.pitch import Pitch, Spelling, midi_of, pitch_with, spelling_at


@pytest.mark.parametrize(
    ("letter", "alter", "octave", "midi"),
    [
        ("C", 0, 4, 60),
        ("A", 0, 4, 69),
        ("B", 1, 4, 72),
        ("C", -1, 5, 71),
        ("F", 2, 3, 55),
        ("C", 0, -1, 0),
        ("G", 0, 9, 127),
    ],
)
def test_midi_numbers(letter: str, alter: int, octave: int, midi: int) -> None:
    assert midi_of(letter, alter, octave) == Pitch(letter, alter, octave).midi == midi


def test_every_place_on_the_line_of_fifths_is_its_spelling() -> None:
    for place in range(-15, 20):
        spelling = spelling_at(place)
        assert spelling.fifths == place
        assert spelling.pitch_class == place * 7 % 12


def test_places_beyond_double_marks_turn_enharmonically() -> None:
    assert spelling_at(20) == Spelling("G", 1)
    assert spelling_at(-16) == Spelling("A", -1)


def test_a_spelling_is_put_where_the_number_sounds() -> None:
    for midi in range(128):
        for place in range(-15, 20):
            spelling = spelling_at(place)
            if spelling.pitch_class == midi % 12:
                assert pitch_with(spelling, midi).midi == midi


def test_a_spelling_of_another_pitch_class_is_refused() -> None:
    with pytest.raises(ValueError, match="C# does not sound as MIDI 60"):
        pitch_with(Spelling("C", 1), 60)


def test_names() -> None:
    assert Pitch("F", 2, 3).name == "F##3"
    assert Spelling("B", -2).name == "Bbb"
