"""What the preview plays and when: notes, chords by the bar and beats, with their places in samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import VOICES, Bar, Meter, Voice
from yue2_desktop.score.model import Score
from yue2_desktop.score.preview.tones import RATE
from yue2_desktop.score.timeline import chords, sounds

_LOWEST_BASS, _LOWEST_CHORD = 36, 55


class Part(IntEnum):
    """What can be made louder or softer on its own."""

    VOCAL = 0
    INS = 1
    CHORDS = 2
    CLICK = 3


@dataclass(frozen=True, slots=True)
class Tone:
    """One tone: where it starts in samples, what it is, MIDI pitches (bass first), nominal length in samples.

    A click has no pitch; its length is 1 on the first beat of a bar and 0 on the others.
    """

    start: int
    part: Part
    pitches: tuple[int, ...]
    length: int


def samples_of(quarters: Fraction, tempo: int) -> int:
    """Return a time in quarter notes as samples, rounded to the nearest."""
    return int(quarters * 60 * RATE / tempo + Fraction(1, 2))


def tones(score: Score) -> tuple[Tone, ...]:
    """Return all tones of a score in order of their start; pitches outside MIDI's range are left out."""
    found = [*_notes(score), *_chords(score), *_clicks(score)]
    return tuple(sorted(found, key=lambda one: (one.start, one.part, one.pitches)))


def voicing(chord: Chord) -> tuple[int, ...]:
    """Return a chord as MIDI pitches: the bass from C2 up, then the chord's notes from G3 up."""
    bass = _LOWEST_BASS + (chord.bass_class - _LOWEST_BASS) % 12
    return (bass, *sorted(_LOWEST_CHORD + (one - _LOWEST_CHORD) % 12 for one in chord.pitch_classes))


def beats(meter: Meter) -> tuple[Fraction, ...]:
    """Return where a bar's beats are, in quarters: dotted ones in 6/8 and its kin."""
    step = 3 if meter.denominator >= 8 and meter.numerator % 3 == 0 and meter.numerator > 3 else 1
    return tuple(Fraction(4 * at, meter.denominator) for at in range(0, meter.numerator, step))


def _notes(score: Score) -> Iterator[Tone]:
    tempo = score.header.tempo
    for voice in VOICES:
        part = Part.VOCAL if voice is Voice.VOCAL else Part.INS
        for sound in sounds(score, voice):
            length = samples_of(sound.duration, tempo)
            if 0 <= sound.pitch <= 127 and length:
                yield Tone(samples_of(sound.onset, tempo), part, (sound.pitch,), length)


def _bars(score: Score) -> list[Bar]:
    by_index = {bar.index: bar for voice in reversed(VOICES) for bar in score.bars(voice)}
    return [by_index[index] for index in sorted(by_index)]


def _chords(score: Score) -> Iterator[Tone]:
    """A chord that lasts is struck again in every bar, as players do."""
    tempo = score.header.tempo
    starts = [bar.start for bar in _bars(score)]
    at = 0
    for one in chords(score):
        if one.symbol.chord is None or not one.duration:
            continue
        while at < len(starts) and starts[at] <= one.onset:
            at += 1
        end = one.onset + one.duration
        edges = [one.onset]
        while at < len(starts) and starts[at] < end:
            edges.append(starts[at])
            at += 1
        pitches = voicing(one.symbol.chord)
        for first, last in zip(edges, [*edges[1:], end], strict=True):
            yield Tone(samples_of(first, tempo), Part.CHORDS, pitches, samples_of(last - first, tempo))


def _clicks(score: Score) -> Iterator[Tone]:
    tempo = score.header.tempo
    for bar in _bars(score):
        for beat in beats(bar.meter):
            if beat < bar.slot:
                yield Tone(samples_of(bar.start + beat, tempo), Part.CLICK, (), 1 if beat == 0 else 0)
