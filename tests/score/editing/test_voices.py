"""Make instrumental, strip the chords, set the tempo."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.score.samples import GOOD, MALFORMED, bare, scores
from yue2_desktop.score.editing.voices import make_instrumental, set_tempo, strip_chords
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.timeline import chords, sounds
from yue2_desktop.song.errors import Problem

PROFILE = settings(max_examples=60, deadline=None, derandomize=True)


def heard(parsed: Parsed, voice: Voice) -> list[tuple[object, ...]]:
    return [(one.onset, one.duration, one.pitch) for one in sounds(parsed.score, voice)]


def harmony(parsed: Parsed) -> list[tuple[object, ...]]:
    return [(one.onset, one.symbol.text) for one in chords(parsed.score)]


@PROFILE
@given(text=scores())
def test_the_melody_moves_and_the_chords_stay(text: str) -> None:
    parsed = parse(text)
    if not sounds(parsed.score, Voice.VOCAL):
        with pytest.raises(Problem, match="instrumental already"):
            make_instrumental(parsed)
        return
    after = parse(make_instrumental(parsed).apply(text))
    assert after.diagnostics == ()
    assert sounds(after.score, Voice.VOCAL) == ()
    assert harmony(after) == harmony(parsed)
    taken = {bar.index for bar in parsed.score.vocal_bars if bar.notes}
    melody = heard(parsed, Voice.VOCAL)
    assert [one for one in heard(after, Voice.INS) if one in melody] == melody
    for bar in after.score.ins_bars:
        if bar.index not in taken:
            old = parsed.score.ins_bars[bar.index]
            assert [(note.offset, note.pitch) for note in bar.notes] == [
                (note.offset, note.pitch) for note in old.notes
            ]


def test_instrumental_twinkle() -> None:
    text = make_instrumental(parse(GOOD["01_full_twinkle"]))
    assert text.description == (
        "Make instrumental: move the vocal melody of 12 bars to Ins, in place of the Ins notes in 2 of them."
    )
    group = text.apply(GOOD["01_full_twinkle"]).split("% verse\n")[1].split("% ")[0]
    assert group == ('V: Vocal\n"C"z16|"F"z8"C"z8|"F"z8"C"z8|"G7"z8"C"z8|\nV: Ins\nC4C4G4G4|A4A4G8|F4F4E4E4|D4D4C8|\n')


def test_bars_without_notes_and_chords_become_z_and_tuplets_plain_silence() -> None:
    parsed = parse(bare('C16|"F"(3c4d4e4f8|(3c4"G"d4e4f8|Z|', "Z4|"))
    text = make_instrumental(parsed).apply(parsed.text)
    assert text.split("V: Vocal\n")[1] == ('Z|"F"z16|(3z4"G"z4z4z8|Z|\nV: Ins\nC16|(3c4d4e4f8|(3c4d4e4f8|Z|\n')


@PROFILE
@given(text=scores())
def test_without_chords_every_note_stays(text: str) -> None:
    parsed = parse(text)
    after = parse(strip_chords(parsed).apply(text))
    assert after.diagnostics == ()
    assert chords(after.score) == ()
    assert '"' not in after.text.split("\nK:")[1]
    for voice in VOICES:
        assert heard(after, voice) == heard(parsed, voice)


def test_stripped_twinkle_is_as_the_model_writes_melodies() -> None:
    text = strip_chords(parse(GOOD["01_full_twinkle"])).apply(GOOD["01_full_twinkle"])
    assert "% intro\nV: Vocal\nZ2|\n" in text
    assert "C4C4G4G4|A4A4G8|F4F4E4E4|D4D4C8|" in text
    assert strip_chords(parse(text)).is_empty


def test_what_a_chord_divided_is_joined() -> None:
    parsed = parse(bare('"C"C4-"G"C12|"F"z8"C"z8|"F"C8-C4"G"C4|', "Z3|"))
    assert strip_chords(parsed).apply(parsed.text).split("V: Vocal\n")[1].split("\n")[0] == "C16|Z|C8-C4C4|"


@pytest.mark.parametrize("tempo", [10, 97, 400])
def test_tempo(tempo: int) -> None:
    edit = set_tempo(parse(GOOD["01_full_twinkle"]), tempo)
    assert edit.apply(GOOD["01_full_twinkle"]) == GOOD["01_full_twinkle"].replace("Q:1/4=96", f"Q:1/4={tempo}")
    assert len(edit.replacements) == 1


def test_tempo_refusals() -> None:
    for tempo in (9, 401, -3):
        with pytest.raises(Problem, match="give 10 to 400"):
            set_tempo(parse(GOOD["01_full_twinkle"]), tempo)
    with pytest.raises(Problem, match="header line Q: is missing"):
        set_tempo(parse(MALFORMED["21_bad_noheaders"]), 100)


def test_an_ins_note_is_not_tied_to_the_melody_that_takes_its_place() -> None:
    parsed = parse(bare("Z|A16|", "A16-|A16|"))
    assert make_instrumental(parsed).apply(parsed.text).endswith("V: Ins\nA16|A16|\n")
