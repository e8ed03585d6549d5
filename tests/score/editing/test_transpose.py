"""Transposition: every interval of every score, its inverse, keys, chords, sections and refusals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.samples import GOOD, MALFORMED, bare, scores, song
from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.rules import Code
from yue2_desktop.score.timeline import chords, keys, sounds
from yue2_desktop.song.errors import Problem


def moved(text: str, semitones: int, from_section: int = 0) -> str:
    return transpose(parse(text), semitones, from_section).apply(text)


def heard(parsed: Parsed, voice: Voice, shift: int = 0) -> list[tuple[object, ...]]:
    return [(one.onset, one.duration, one.pitch + shift) for one in sounds(parsed.score, voice)]


def chord_classes(parsed: Parsed, shift: int = 0) -> list[tuple[object, ...]]:
    found = []
    for one in chords(parsed.score):
        chord = one.symbol.chord
        assert chord is not None
        found.append((one.onset, chord.quality, (chord.root.pitch_class + shift) % 12, (chord.bass_class + shift) % 12))
    return found


def has_one_usual_spelling(parsed: Parsed) -> bool:
    return all(abs(key.fifths) <= 5 for _, key in keys(parsed.score))


@pytest.mark.parametrize("semitones", range(-12, 13))
@pytest.mark.parametrize("name", GOOD)
def test_every_interval_is_read_again_exactly_and_undone(name: str, semitones: int) -> None:
    """250 transpositions: the issue's 225 (nine scores) and those of the tenth."""
    before = parse(GOOD[name])
    text = moved(GOOD[name], semitones)
    after = parse(text)
    assert after.diagnostics == ()
    for voice in VOICES:
        assert heard(after, voice) == heard(before, voice, semitones)
        assert [key.fifths % 12 for _, key in keys(after.score, voice)] == [
            (key.fifths + 7 * semitones) % 12 for _, key in keys(before.score, voice)
        ]
    assert chord_classes(after) == chord_classes(before, semitones)
    back = moved(text, -semitones)
    for voice in VOICES:
        assert heard(parse(back), voice) == heard(before, voice)
    if has_one_usual_spelling(before) and has_one_usual_spelling(after):
        assert back == GOOD[name]


def test_all_scores_but_one_have_one_usual_spelling() -> None:
    assert [name for name in GOOD if not has_one_usual_spelling(parse(GOOD[name]))] == ["07_full_extremes_Dsm"]


@pytest.mark.parametrize("name", GOOD)
def test_nothing_and_octaves(name: str) -> None:
    assert transpose(parse(GOOD[name]), 0).is_empty
    assert moved(moved(GOOD[name], 12), -12) == GOOD[name]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=scores(), semitones=st.integers(-12, 12))
def test_random_scores(text: str, semitones: int) -> None:
    before = parse(text)
    after = parse(moved(text, semitones))
    assert [one for one in after.diagnostics if one.code is not Code.FIELD_REDUNDANT] == []
    for voice in VOICES:
        assert heard(after, voice) == heard(before, voice, semitones)
    assert chord_classes(after) == chord_classes(before, semitones)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=scores(), semitones=st.integers(-7, 7), data=st.data())
def test_from_a_section_on(text: str, semitones: int, data: st.DataObject) -> None:
    before = parse(text)
    section = data.draw(st.sampled_from(before.score.sections))
    after = parse(moved(text, semitones, section.index))
    assert after.errors == ()
    for voice in VOICES:
        old, new = sounds(before.score, voice), sounds(after.score, voice)
        start = section.start
        assert [(one.onset, one.pitch) for one in new if one.onset < start] == [
            (one.onset, one.pitch) for one in old if one.onset < start
        ]
        assert [(one.onset, one.duration, one.pitch) for one in new if one.onset > start] == [
            (one.onset, one.duration, one.pitch + semitones) for one in old if one.onset > start
        ]


def test_only_the_section_and_what_follows_changes_and_gets_its_key() -> None:
    text = moved(GOOD["01_full_twinkle"], 2, 2)
    old, new = GOOD["01_full_twinkle"].split("% chorus\n"), text.split("% chorus\n")
    assert new[0] == old[0]
    assert new[1].startswith('V: Vocal\nK:D\n"D"A4A4"G"G4G4|')
    assert new[1].count("K:D\n") == 2
    assert moved(text, -2, 2) == GOOD["01_full_twinkle"]


def test_a_tie_into_the_section_is_cut_and_said() -> None:
    edit = transpose(parse(GOOD["03_full_waltz_Gm"]), 2, 2)
    assert edit.description == "Transpose 2 semitones up from the section 'outro' on. A tie into it is cut."
    text = edit.apply(GOOD["03_full_waltz_Gm"])
    assert '"Gm"G12|' in text
    assert '% outro\nV: Vocal\nK:Am\n"Am"A12|' in text


@pytest.mark.parametrize(
    ("key", "music", "semitones", "moved_key", "result"),
    [
        ("C", '"C"C4^C4"F#7/A#"E4=F4|', 2, "D", '"D"D4^D4"G#7/B#"F4=G4|'),
        ("Am", '"E7"^G4A4^F4G4|', 1, "Bbm", '"F7"=A4B4=G4A4|'),
        ("F", '"Bb"B4=B4_B4A4|', -1, "E", '"A"A4^A4=A4G4|'),
        ("E", "G4A4B4c4|", 1, "F", "A4B4c4d4|"),
        ("C", '^F4^F4"Db"G4A4|', 7, "G", '^c4^c4"Ab"d4e4|'),
    ],
)
def test_letters_marks_and_chords_move_with_their_key(
    key: str, music: str, semitones: int, moved_key: str, result: str
) -> None:
    text = moved(song(music, key=key), semitones)
    assert f"\nK:{moved_key}\n" in text
    assert text.split("% chorus\n")[1].split("\n")[1] == result


def test_inline_keys_move_in_both_voices() -> None:
    text = moved(GOOD["05_full_changes"], 3)
    assert '"Ab"_a16[K:F]' not in text
    assert text.endswith('"Ab"a16[K:F]"F"a16|"F"f32|\nV: Ins\nM:4/4\nz16[K:F]z16|f32|\n')


def test_the_range_of_midi_is_not_left() -> None:
    with pytest.raises(Problem, match=r"Line 11, column 1: C-1 would leave the range of MIDI pitches"):
        transpose(parse(bare("C,,,,,16|")), -1)


@pytest.mark.parametrize("name", ["23_bad_unknown_chords", "24_bad_truncated", "26_bad_unicode", "32_bad_foreign_abc"])
def test_text_that_was_not_understood_is_not_left_behind(name: str) -> None:
    with pytest.raises(Problem, match="Repair this before transposing"):
        transpose(parse(MALFORMED[name]), 2)


@pytest.mark.parametrize("name", ["20_bad_barlen", "27_bad_barcount_mismatch", "30_bad_crlf_bom", "31_bad_fences"])
def test_other_faults_do_not_stop_it(name: str) -> None:
    before, after = parse(MALFORMED[name]), parse(moved(MALFORMED[name], 5))
    assert [one.code for one in after.diagnostics] == [one.code for one in before.diagnostics]
    assert heard(after, Voice.VOCAL) == heard(before, Voice.VOCAL, 5)


@pytest.mark.parametrize(("semitones", "section", "why"), [(60, 0, "at most 48"), (1, 9, "section 10 does not exist")])
def test_senseless_wishes_are_refused(semitones: int, section: int, why: str) -> None:
    with pytest.raises(Problem, match=why):
        transpose(parse(GOOD["01_full_twinkle"]), semitones, section)


def test_the_description_names_the_keys() -> None:
    assert transpose(parse(GOOD["02_melody_ode"]), -1).description == "Transpose 1 semitone down, from D to Db."
