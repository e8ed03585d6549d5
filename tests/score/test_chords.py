"""The chord vocabulary, foreign spellings, and respelling (user-reports.md, rows 89 and 98)."""

from __future__ import annotations

import pytest

from yue2_desktop.score.chords import QUALITIES, Chord, is_far_from, nearest_chord, parse_chord, respelled, same_chord
from yue2_desktop.score.keys import KEYS
from yue2_desktop.score.pitch import Spelling, spelling_at

ROOTS = [f"{letter}{mark}" for letter in "ABCDEFG" for mark in ("", "#", "b", "##", "bb")]


@pytest.mark.parametrize("quality", QUALITIES)
def test_every_root_and_quality_is_read_and_written_back(quality: str) -> None:
    for root in ROOTS:
        for name in (f"{root}{quality}", f"{root}{quality}/F#"):
            chord = parse_chord(name)
            assert chord is not None
            assert chord.quality == quality
            assert chord.name == name


@pytest.mark.parametrize(
    "name",
    ["N.C.", "Cadd9", "Cmaj9", "C13", "Calt", "Gsus13/#", "H", "", "c", "C###", "C/H", "C/", "Cm7 ", "^C", "C/E/G"],
)
def test_other_names_are_not_in_the_vocabulary(name: str) -> None:
    assert parse_chord(name) is None


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("D♭Δ", "Dbmaj7"),
        ("F♯m7", "F#m7"),
        ("CΔ", "Cmaj7"),
        ("B°", "Bdim"),
        ("Bø", "Bm7b5"),
        ("Emin7", "Em7"),
        ("E-7", "Em7"),
        ("Cmaj", "C"),
        ("CM7", "Cmaj7"),
        ("C+", "Caug"),
        ("Asus", "Asus4"),
        ("Am(maj7)/G♯", "Am(maj7)/G#"),
        ("em", "Em"),
        ("C maj7", "Cmaj7"),
        ("A♭/E♭", "Ab/Eb"),
        ("Bbmi", "Bbm"),
    ],
)
def test_foreign_spellings_of_the_same_chord(name: str, meant: str) -> None:
    chord = same_chord(name)
    assert chord is not None
    assert chord.name == meant


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Cmaj9", "Cmaj7"),
        ("C9", "C7"),
        ("Am9", "Am7"),
        ("G13", "G7"),
        ("Cadd9", "C"),
        ("Fmadd9", "Fm"),
        ("Galt", "G7"),
        ("Dm11", "Dm7"),
        ("C69", "C6"),
        ("G9sus4", "G7sus4"),
        ("Bdim9", "Bdim"),
        ("Gsus13/#", "Gsus4"),
        ("D5", "D"),
        ("C7#9/E", "C7/E"),
        ("Cmaj13#11", "Cmaj7"),
    ],
)
def test_richer_chords_have_a_nearest_one(name: str, near: str) -> None:
    assert same_chord(name) is None
    chord = nearest_chord(name)
    assert chord is not None
    assert chord.name == near


@pytest.mark.parametrize("name", ["N.C.", "NC", "no chord", "", "?", "xyz"])
def test_no_chord_has_no_nearest_one(name: str) -> None:
    assert nearest_chord(name) is None


def test_pitch_classes_and_bass() -> None:
    chord = parse_chord("F#m7b5/A")
    assert chord is not None
    assert chord.pitch_classes == (6, 9, 0, 4)
    assert chord.bass_class == 9


@pytest.mark.parametrize("key", KEYS)
def test_respelling_keeps_every_chord_sounding_in_every_key(key: str) -> None:
    for place in range(-15, 20):
        for bass in (None, spelling_at(place)):
            chord = Chord(spelling_at(place), "m7", bass)
            new = respelled(chord, KEYS[key])
            assert new.pitch_classes == chord.pitch_classes
            assert new.bass_class == chord.bass_class
            assert not is_far_from(new, KEYS[key])


def test_a_flat_chord_in_a_sharp_key_is_far_and_an_ordinary_substitute_is_not() -> None:
    assert respelled(Chord(Spelling("D", -1), ""), KEYS["C#m"]).name == "C#"
    assert is_far_from(Chord(Spelling("D", -1), ""), KEYS["C#m"])
    assert not is_far_from(Chord(Spelling("D", -1), "7"), KEYS["G"])
