"""MIDI files as scores."""

from __future__ import annotations

import io
import random
import re

import pytest
from mido import Message, MetaMessage, MidiFile, MidiTrack

from tests.score.importing.same import assert_same
from tests.score.samples import GOOD, random_score
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.export.midi import midi_bytes
from yue2_desktop.score.importing.midi import import_midi
from yue2_desktop.score.importing.sketch import Imported
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import chords, sounds
from yue2_desktop.song.errors import Problem, ProblemKind

TICKS = 480
SCALE = (60, 62, 64, 65, 67, 69, 71, 72)


def midi(*tracks: list[object], ticks: int = TICKS) -> bytes:
    """Return a file of tracks of messages and (start, end, pitch) or (start, end, pitch, channel) notes in quarters."""
    file = MidiFile(type=1, ticks_per_beat=ticks)
    for content in tracks:
        events: list[tuple[float, int, object]] = []
        for one in content:
            if isinstance(one, tuple):
                start, end, pitch, channel = (*one, 0)[:4]
                events.append((start, 1, Message("note_on", note=pitch, channel=channel)))
                events.append((end, 0, Message("note_off", note=pitch, channel=channel)))
            else:
                events.append((one.time, 0, one))
        track, now = MidiTrack(), 0
        for time, _, message in sorted(events, key=lambda one: one[:2]):
            tick = round(time * ticks)
            track.append(message.copy(time=tick - now))
            now = tick
        file.tracks.append(track)
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


def named(name: str) -> MetaMessage:
    return MetaMessage("track_name", name=name)


def notes(imported: Imported, voice: Voice = Voice.VOCAL) -> list[tuple[float, float, int]]:
    parsed = parse(imported.text)
    assert parsed.diagnostics == ()
    return [(float(one.onset), float(one.duration), one.pitch) for one in sounds(parsed.score, voice)]


@pytest.mark.parametrize("name", [name for name in GOOD if "tuplets" not in name])
def test_our_own_export_comes_back(name: str) -> None:
    score = parse(GOOD[name]).score
    imported = import_midi(midi_bytes(score))
    parsed = parse(imported.text)
    assert parsed.diagnostics == ()
    assert_same(score, parsed.score, spelled=False)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_we_export_comes_back_as_a_clean_score(seed: int) -> None:
    score = parse(random_score(random.Random(seed))).score
    if not any(sounds(score, voice) for voice in VOICES):
        with pytest.raises(Problem, match="no notes"):
            import_midi(midi_bytes(score))
        return
    assert parse(import_midi(midi_bytes(score)).text).diagnostics == ()


def test_a_loose_performance_is_moved_to_sixteenths() -> None:
    played = [(at + 0.05, at + 0.97, SCALE[at % 8]) for at in range(8)]
    imported = import_midi(midi(played))
    assert notes(imported) == [(float(at), 1.0, SCALE[at % 8]) for at in range(8)]
    assert "Notes moved to the nearest sixteenth: 8." in imported.changes


def test_the_melody_is_the_track_that_is_named_so() -> None:
    piano = [named("Piano"), *((at, at + 1, 70) for at in range(16))]
    vocal = [named("Lead Vocal"), *((at, at + 1, SCALE[at % 8]) for at in range(8))]
    imported = import_midi(midi(piano, vocal))
    assert [pitch for _, _, pitch in notes(imported)] == list(SCALE)
    assert imported.changes[0] == "The melody was taken from 'Lead Vocal'."
    assert "Left out: 'Piano'." in imported.changes


def test_without_names_the_melody_is_what_looks_like_one() -> None:
    bass = [(at, at + 1, 36 + at % 3) for at in range(32)]
    keys = [(at, at + 4, pitch) for at in range(0, 32, 4) for pitch in (55, 60, 64)]
    song = [(at, at + 0.75, SCALE[at % 8]) for at in range(32)]
    drums = [(at, at + 0.25, 38, 9) for at in range(32)]
    imported = import_midi(midi(bass, keys, song, drums))
    assert [pitch for _, _, pitch in notes(imported)][:8] == list(SCALE)
    assert "Left out: track 1, the drums." in imported.changes


def test_a_named_track_can_be_asked_for() -> None:
    tracks = ([named("A"), (0, 4, 60)], [named("B"), (0, 4, 64)])
    assert notes(import_midi(midi(*tracks), part="B")) == [(0, 4, 64)]
    with pytest.raises(Problem, match="no track 'C'; it has 'A', 'B'") as caught:
        import_midi(midi(*tracks), part="C")
    assert caught.value.kind is ProblemKind.BAD_REQUEST


def test_chords_are_heard_in_a_track_of_chords() -> None:
    heard = {0: (48, 60, 64, 67), 4: (45, 57, 60, 64), 8: (43, 59, 62, 65, 67), 12: (48, 60, 64, 67)}
    pad = [named("Chords"), *((at, at + 4, pitch) for at, pitches in heard.items() for pitch in pitches)]
    song = [named("Voice"), *((at, at + 1, SCALE[at % 8]) for at in range(16))]
    imported = import_midi(midi(song, pad))
    found = chords(parse(imported.text).score)
    assert [(float(one.onset), one.symbol.text) for one in found] == [(0, "C"), (4, "Am"), (8, "G7"), (12, "C")]
    assert "Chords heard in the notes of one track, to be looked over: 4." in imported.changes


def test_key_and_meter_are_guessed_and_said() -> None:
    waltz = [(3 * bar + at, 3 * bar + at + length, 55 + pitch) for bar in range(8)
             for at, length, pitch in ((0, 2, (0, 7)[bar % 2]), (2, 1, (4, 2, 9, 11)[bar % 4]))]  # fmt: skip
    imported = import_midi(midi(waltz))
    score = parse(imported.text).score
    assert score.header.meter.text == "3/4"
    assert score.header.key.name == "G"
    assert imported.changes[-2:] == ("The file has no meter; 3/4 was guessed.", "The file has no key; G was guessed.")


def test_minor_keys_are_told_from_major_ones() -> None:
    line = [
        (at, at + 1, pitch) for at, pitch in enumerate((57, 60, 64, 69, 68, 64, 60, 57, 59, 60, 64, 57, 56, 52, 57))
    ]
    assert parse(import_midi(midi(line)).text).score.header.key.name == "Am"


def test_the_tempo_that_lasts_longest_is_taken() -> None:
    tempi = [MetaMessage("set_tempo", tempo=1_000_000, time=0), MetaMessage("set_tempo", tempo=500_000, time=2)]
    imported = import_midi(midi([*tempi, *((at, at + 1, 60) for at in range(16))]))
    assert parse(imported.text).score.header.tempo == 120
    assert "The tempo that lasts longest was taken; the others were left out." in imported.changes


def test_markers_become_sections_that_the_model_knows() -> None:
    marks = [MetaMessage("marker", text=text, time=at) for at, text in ((0, "Verse 1"), (4, "Refrain"), (8, "Zzz"))]
    imported = import_midi(midi([*marks, *((at, at + 1, 60) for at in range(12))]))
    assert [one.label for one in parse(imported.text).score.sections] == ["verse 1", "chorus"]
    assert "The marker 'Zzz' is no section that the model knows and was left out." in imported.changes


def test_notes_on_top_of_each_other_leave_the_highest() -> None:
    imported = import_midi(midi([(0, 2, 60), (0, 2, 64), (1, 3, 62), (3, 4, 65)]))
    assert notes(imported) == [(0, 1, 64), (1, 2, 62), (3, 1, 65)]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is no MIDI file"),
        (b"MThd", "is a damaged MIDI file"),
        (b"MThd\0\0\0\6\0\1\0\1\xe7\x28MTrk\0\0\0\4\0\xff\x2f\0", "counts film frames"),
        (midi([named("x")]), "has no notes"),
        (midi([(0, 1, 40, 9)]), "has no notes but drums"),
        (b"MThd" + b"\0" * (5 * 2**20), "larger than 4 MiB"),
        (midi([(0, 4 * 1200, 60)]), "more than 1000 bars"),
    ],
)
def test_other_files_are_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence) as caught:
        import_midi(data)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert re.fullmatch(r"The file [^;]+; [^;]+\.", caught.value.sentence)  # the fault, and what helps


def imported_or_told(data: bytes) -> str:
    """Return the score, or the sentence that says why there is none."""
    try:
        return import_midi(data).text
    except Problem as problem:
        return problem.sentence


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    good = midi_bytes(parse(GOOD["03_full_waltz_Gm"]).score)
    for _ in range(60):
        data = bytearray(good[: rng.randrange(20, len(good))] if rng.random() < 0.3 else good)
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        outcome = imported_or_told(bytes(data))
        assert outcome.endswith(".") or not parse(outcome).errors
