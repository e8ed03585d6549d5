"""Onsets and pitches against abc2midi, which is an independent reader of ABC (Debian package abcmidi)."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import mido
import pytest

from tests.score.samples import GOOD, random_score
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.parser import parse
from yue2_desktop.score.timeline import sounds

ABC2MIDI = shutil.which("abc2midi")
pytestmark = pytest.mark.skipif(ABC2MIDI is None, reason="abc2midi is not installed (Debian package abcmidi)")
#: abc2midi writes onsets in whole ticks of 1/480 quarter and starts each note one tick late.
TOLERANCE_TICKS = 2


def by_abc2midi(text: str, folder: Path) -> dict[Voice, list[tuple[float, int]]]:
    """Return onsets in ticks and pitches of both voices as abc2midi reads them; chord symbols are left out."""
    source, target = folder / "score.abc", folder / "score.mid"
    source.write_text(_plain(text), encoding="utf-8")
    done = subprocess.run(
        [ABC2MIDI or "", str(source), "-o", str(target)], capture_output=True, text=True, timeout=60, check=False
    )
    assert target.exists(), done.stdout + done.stderr
    tracks = mido.MidiFile(target).tracks
    return {voice: _notes(tracks[number]) for voice, number in zip(VOICES, (1, 2), strict=True)}


def _plain(text: str) -> str:
    head, body = text.split("\n% ", maxsplit=1)
    return f"{head}\n% " + re.sub(r'"[^"\n]*"', "", body)


def _notes(track: mido.MidiTrack) -> list[tuple[float, int]]:
    time, notes = 0, []
    for message in track:
        time += message.time
        if message.type == "note_on" and message.velocity:
            notes.append((float(time), message.note))
    return notes


def assert_equal_notes(text: str, folder: Path) -> None:
    score = parse(text).score
    theirs = by_abc2midi(text, folder)
    for voice in VOICES:
        ours = [(one.onset, one.pitch) for one in sounds(score, voice)]
        assert [pitch for _, pitch in ours] == [pitch for _, pitch in theirs[voice]]
        for (onset, _), (ticks, _) in zip(ours, theirs[voice], strict=True):
            assert abs(onset * 480 - Fraction(ticks)) <= TOLERANCE_TICKS


@pytest.mark.parametrize("name", GOOD)
def test_good_scores_sound_as_abc2midi_reads_them(name: str, tmp_path: Path) -> None:
    assert_equal_notes(GOOD[name], tmp_path)


@pytest.mark.parametrize("seed", range(40))
def test_random_scores_sound_as_abc2midi_reads_them(seed: int, tmp_path: Path) -> None:
    assert_equal_notes(random_score(random.Random(seed)), tmp_path)
