"""Single notes: pitch, length, silence; the bar stays full, chords stay on their beats, the rest sounds as before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.score.samples import GOOD, attempt, bare, scores
from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.editing.notes import set_length, set_pitch, silence
from yue2_desktop.score.elements import VOICES, KeyChange, Note, Voice
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.pitch import Pitch
from yue2_desktop.score.timeline import Place, chords, places, sounds
from yue2_desktop.song.errors import Problem

PROFILE = settings(max_examples=60, deadline=None, derandomize=True)


def after(parsed: Parsed, edit: Edit) -> Parsed:
    text = edit.apply(parsed.text)
    assert edit.inverse(parsed.text).apply(text) == parsed.text
    edited = parse(text)
    assert edited.diagnostics == (), text
    return edited


def heard(parsed: Parsed) -> list[tuple[object, ...]]:
    return [(voice, one.onset, one.duration, one.pitch) for voice in VOICES for one in sounds(parsed.score, voice)]


def harmony(parsed: Parsed) -> list[tuple[object, ...]]:
    return [(one.onset, one.symbol.text) for one in chords(parsed.score)]


def music(parsed: Parsed, edit: Edit) -> str:
    """Return the Vocal line of a score of one group after an edit."""
    return edit.apply(parsed.text).split("V: Vocal\n")[1].split("\n")[0]


def note_places(parsed: Parsed) -> list[Place]:
    return [one for voice in VOICES for one in places(parsed.score, voice) if isinstance(one.event, Note)]


def place(parsed: Parsed, number: int) -> Place:
    """Return the place of a Vocal event, key changes counted."""
    return list(places(parsed.score, Voice.VOCAL))[number]


@PROFILE
@given(text=scores(), data=st.data())
def test_a_pitch_changes_its_whole_sound_and_nothing_else(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    candidates = note_places(parsed)
    if not candidates:
        return
    where = data.draw(st.sampled_from(candidates))
    midi = data.draw(st.integers(36, 96))
    edited = after(parsed, set_pitch(parsed, where, midi))
    voice = where.bar.voice
    (sound,) = [one for one in sounds(parsed.score, voice) if any(note is where.event for note in one.notes)]
    old, new = heard(parsed), heard(edited)
    changed = (voice, sound.onset, sound.duration, sound.pitch)
    assert new == [(*one[:3], midi) if one == changed else one for one in old]
    assert harmony(edited) == harmony(parsed)


@PROFILE
@given(text=scores(), data=st.data())
def test_a_length_changes_the_note_and_its_neighbour_at_most(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    candidates = note_places(parsed)
    if not candidates:
        return
    where = data.draw(st.sampled_from(candidates))
    units = data.draw(st.integers(1, 24))
    edit = attempt(lambda: set_length(parsed, where, units))
    if isinstance(edit, str):
        assert edit.endswith(".")
        return
    edited = after(parsed, edit)
    assert harmony(edited) == harmony(parsed)
    voice = where.bar.voice
    old = {(one.onset, one.pitch): one.duration for one in sounds(parsed.score, voice)}
    new = {(one.onset, one.pitch): one.duration for one in sounds(edited.score, voice)}
    gone, come = set(old) - set(new), set(new) - set(old)
    assert len(gone) == len(come) <= 1, "only the neighbour may begin elsewhere"
    (sound,) = [one for one in sounds(parsed.score, voice) if any(note is where.event for note in one.notes)]
    unit = parsed.score.header.unit_quarters
    start = max(sound.onset, where.bar.start)
    assert new[sound.onset, sound.pitch] == start - sound.onset + units * unit
    assert sum(old[one] != new.get(one, old[one]) for one in old) <= 1
    assert edited.score.duration == parsed.score.duration


@PROFILE
@given(text=scores(), data=st.data())
def test_a_silenced_note_is_gone_and_a_rest_becomes_a_note(text: str, data: st.DataObject) -> None:
    parsed = parse(text)
    candidates = note_places(parsed)
    if not candidates:
        return
    where = data.draw(st.sampled_from(candidates))
    edited = after(parsed, silence(parsed, where))
    assert len(heard(edited)) == len(heard(parsed)) - 1
    assert harmony(edited) == harmony(parsed)
    rests = [
        one for voice in VOICES for one in places(parsed.score, voice) if not isinstance(one.event, Note | KeyChange)
    ]
    if rests:
        rest = data.draw(st.sampled_from(rests))
        edited = after(parsed, set_pitch(parsed, rest, 60))
        assert (rest.bar.voice, rest.onset, rest.event.length, 60) in heard(edited)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "number", "units", "result"),
    [
        ("C4D4E8|", 0, 6, "C6D2E8|"),
        ("C4D4E8|", 0, 2, "C2z2D4E8|"),
        ("C4z4E8|", 0, 8, "C8E8|"),
        ("C4z4E8|", 0, 6, "C6z2E8|"),
        ("C4z4E8|", 0, 2, "C2z6E8|"),
        ("C4z4E8|", 0, 10, "C8-C2E6|"),
        ('C4"G"z4E8|', 0, 8, 'C4-"G"C4E8|'),
        ('C4"G"D4E8|', 0, 6, 'C4-"G"C2D2E8|'),
        ('C8"G"D8|', 0, 3, 'C3z4z"G"D8|'),
        ('C4-"G"C4D8|', 1, 12, 'C4-"G"C8D4|'),
        ('C4-"G"C4D8|', 0, 2, 'C2z2"G"z4D8|'),
        ("^C4z4C8|", 0, 8, "^C8C8|"),
        ("z8^C4D4|", 1, 6, "z8^C6D2|"),
        ("C4^D4D8|", 0, 6, "C6^D2D8|"),
    ],
)
def test_lengths(line: str, number: int, units: int, result: str) -> None:
    parsed = parse(bare(line))
    assert music(parsed, set_length(parsed, place(parsed, number), units)) == result


@pytest.mark.parametrize(
    ("line", "number", "units", "why"),
    [
        ("C4D4E8|", 0, 8, "The next note, D4, would vanish"),
        ("C4D4E8|", 2, 9, "The bar has room for 8 units"),
        ("C4D4E8-|E16|", 2, 4, "held into the next bar"),
        ("(3C4D4E4F8|", 0, 2, "part of a tuplet"),
        ("F8(3C4D4E4|", 0, 9, "A tuplet follows"),
        ("C4D4E8|", 0, 0, "at least one unit"),
        ("z8E8|", 0, 4, "Only a note"),
        ("(3:2:2C4D4E8z2z|", 2, 4, "not stand on the grid"),
    ],
)
def test_lengths_that_are_refused_say_why(line: str, number: int, units: int, why: str) -> None:
    parsed = parse(bare(line, "Z2|" if line.count("|") == 2 else "Z|"))
    with pytest.raises(Problem, match=why):
        set_length(parsed, place(parsed, number), units)


@pytest.mark.parametrize(
    ("line", "number", "pitch", "result"),
    [
        ("C4D4E8|", 1, 61, "C4_D4E8|"),
        ("C4D4E8|", 1, 66, "C4^F4E8|"),
        ("F4^F4F8|", 1, 65, "F4F4^F8|"),
        ("C4-C4C8|", 0, 64, "E4-E4C8|"),
        ("C4C4D8|", 0, 73, "_d4C4=D8|"),
        ("z8E8|", 0, 60, "C8E8|"),
        ('"G"z8E8|', 0, 59, '"G"B,8E8|'),
    ],
)
def test_pitches(line: str, number: int, pitch: int, result: str) -> None:
    parsed = parse(bare(line))
    assert music(parsed, set_pitch(parsed, place(parsed, number), pitch)) == result


def test_a_spelled_pitch_is_written_as_spelled() -> None:
    parsed = parse(bare("C4D4E8|"))
    assert music(parsed, set_pitch(parsed, place(parsed, 1), Pitch("C", 1, 4))) == "C4^C4E8|"


def test_a_pitch_moves_all_that_is_tied_over_bars_and_nothing_more() -> None:
    parsed = parse(GOOD["03_full_waltz_Gm"])
    last = list(places(parsed.score, Voice.VOCAL))[-1]
    edited = after(parsed, set_pitch(parsed, last, 70))
    assert edited.text == GOOD["03_full_waltz_Gm"].replace('"Gm"G12', '"Gm"B12')


def test_the_last_note_of_a_bar_silenced_leaves_a_full_rest() -> None:
    parsed = parse(bare("C8-C8|"))
    assert music(parsed, silence(parsed, place(parsed, 1))) == "Z|"


def test_pitches_out_of_range_and_key_changes_are_refused() -> None:
    parsed = parse(bare("C8[K:D]C8|", "z8[K:D]z8|"))
    with pytest.raises(Problem, match="MIDI 128 cannot be sounded"):
        set_pitch(parsed, place(parsed, 0), 128)
    with pytest.raises(Problem, match="has no pitch"):
        set_pitch(parsed, place(parsed, 1), 60)
    with pytest.raises(Problem, match="no note here"):
        silence(parsed, place(parsed, 1))
