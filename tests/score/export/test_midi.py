"""MIDI files read back by mido."""

from __future__ import annotations

import io
import random

import pytest
from mido import MidiFile

from tests.score.engraving.midi_notes import notes_of
from tests.score.samples import GOOD, MALFORMED, bare, header, random_score
from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.export.midi import RESOLUTIONS, midi_bytes
from yue2_desktop.score.model import Score
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import chords, keys, meters, sounds


def metas(data: bytes, kind: str, track: int = 0) -> list[tuple[int, object]]:
    """Return (tick, message) of one kind in a track."""
    now, found = 0, []
    for message in MidiFile(file=io.BytesIO(data), charset="utf-8").tracks[track]:
        now += message.time
        if message.type == kind:
            found.append((now, message))
    return found


def check(score: Score) -> None:
    data = midi_bytes(score)
    file = MidiFile(file=io.BytesIO(data), charset="utf-8")
    assert [track.name for track in file.tracks] == ["Vocal", "Ins", "Chords"]
    ticks, tracks = notes_of(data)
    mine = [
        sorted((one.onset * ticks, (one.onset + one.duration) * ticks, one.pitch) for one in found)
        for voice in VOICES
        if (found := sounds(score, voice))
    ]
    assert [list(map(tuple, track)) for track in tracks[: len(mine)]] == mine
    assert [(tick / ticks, one.numerator, one.denominator) for tick, one in metas(data, "time_signature")] == [
        (float(time), meter.numerator, meter.denominator) for time, meter in meters(score)
    ]
    assert [(tick / ticks, one.key) for tick, one in metas(data, "key_signature")] == [
        (float(time), key.name) for time, key in keys(score)
    ]
    assert [(tick / ticks, one.text) for tick, one in metas(data, "marker")] == [
        (float(one.start), one.label) for one in score.sections if one.label
    ]
    assert [one.tempo for _, one in metas(data, "set_tempo")] == [round(60_000_000 / score.header.tempo)]
    assert [(tick / ticks, one.text) for tick, one in metas(data, "text", 2)] == [
        (float(one.onset), one.symbol.text) for one in chords(score)
    ]


@pytest.mark.parametrize("name", GOOD)
def test_notes_tempo_meters_keys_markers_and_chords_come_back(name: str) -> None:
    check(parse(GOOD[name]).score)


@pytest.mark.parametrize("seed", range(20))
def test_random_scores_come_back(seed: int) -> None:
    check(parse(random_score(random.Random(seed))).score)


def test_tuplets_of_seven_get_ticks_that_hold_them() -> None:
    score = parse(bare("(7:4:7c4c4c4c4c4c4c4|")).score
    ticks, _ = notes_of(midi_bytes(score))
    assert ticks == RESOLUTIONS[-1]


def test_pitches_outside_midi_are_left_out() -> None:
    score = parse(MALFORMED["34_bad_pitch_range"]).score
    _, tracks = notes_of(midi_bytes(score))
    assert all(0 <= pitch <= 127 for track in tracks for _, _, pitch in track)


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_scores_give_readable_files(name: str) -> None:
    notes_of(midi_bytes(parse(MALFORMED[name]).score))


def test_the_slowest_tempo_fits_the_file() -> None:
    data = midi_bytes(parse(header(tempo=1) + "V: Vocal\nc16|\nV: Ins\nZ|\n").score)
    assert metas(data, "set_tempo")[0][1].tempo == 0xFFFFFF


def test_labels_of_any_script_are_utf8() -> None:
    data = midi_bytes(parse(MALFORMED["26_bad_unicode"]).score)
    assert "куплет 主歌 😀" in [one.text for _, one in metas(data, "marker")]
