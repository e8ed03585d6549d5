"""The thirty keys and the usual spellings in them."""

from __future__ import annotations

import pytest

from yue2_desktop.score.keys import KEYS, key_with, moved_key


def test_there_are_fifteen_majors_and_fifteen_minors() -> None:
    assert sum(key.minor for key in KEYS.values()) == 15
    assert len(KEYS) == 30
    assert {"Cb", "C#", "Abm", "A#m"} <= set(KEYS)


@pytest.mark.parametrize(
    ("name", "altered"),
    [
        ("C", ""),
        ("G", "F"),
        ("E", "FCGD"),
        ("C#", "FCGDAEB"),
        ("F", "B"),
        ("Gm", "BE"),
        ("Cb", "BEADGCF"),
        ("D#m", "FCGDAE"),
    ],
)
def test_signatures(name: str, altered: str) -> None:
    key = KEYS[name]
    sign = 1 if key.fifths > 0 else -1
    assert {letter for letter, alter in key.alters.items() if alter == sign} == set(altered)
    assert abs(key.fifths) == len(altered)


def test_the_tonic_is_the_name() -> None:
    for key in KEYS.values():
        assert key.tonic.name == key.name.removesuffix("m")


@pytest.mark.parametrize(
    ("name", "pitch_class", "spelled"),
    [
        ("C", 1, "Db"),
        ("C", 6, "F#"),
        ("Am", 8, "G#"),
        ("C#m", 1, "C#"),
        ("C#m", 0, "B#"),
        ("Gm", 6, "F#"),
        ("D", 0, "C"),
    ],
)
def test_usual_spellings(name: str, pitch_class: int, spelled: str) -> None:
    assert KEYS[name].usual(pitch_class).name == spelled


def test_every_pitch_class_has_one_usual_spelling_and_scales_are_kept() -> None:
    for key in KEYS.values():
        for pitch_class in range(12):
            assert key.usual(pitch_class).pitch_class == pitch_class
        for letter, alter in key.alters.items():
            spelled = next(one for pc in range(12) if (one := key.usual(pc)).letter == letter and one.alter == alter)
            assert spelled.letter == letter


def test_a_moved_key_has_the_fewest_accidentals() -> None:
    for key in KEYS.values():
        for semitones in range(-24, 25):
            moved = moved_key(key, semitones)
            assert moved.minor == key.minor
            assert moved.tonic.pitch_class == (key.tonic.pitch_class + semitones) % 12
            if semitones % 12:
                assert abs(moved.fifths) <= 6
            else:
                assert moved is key


def test_six_sharps_and_six_flats_keep_their_side() -> None:
    assert moved_key(KEYS["E"], 2).name == "F#"
    assert moved_key(KEYS["Ab"], -2).name == "Gb"
    assert key_with(-6, minor=False).name == "Gb"
