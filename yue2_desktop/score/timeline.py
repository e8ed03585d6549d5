"""What sounds when: notes joined over their ties, chords, meters and keys by time, and the way from text to music."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from yue2_desktop.score.elements import VOICES, Bar, ChordSymbol, Event, KeyChange, Meter, Note, Rest, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Score
from yue2_desktop.score.pitch import Pitch

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sound:
    """A note as it is heard: onset and duration in quarters from the start of the song, and the notes that write it.

    `bar` is the index of the bar in which it begins.
    """

    voice: Voice
    onset: Fraction
    duration: Fraction
    pitch: int
    spelled: Pitch
    bar: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class ChordAt:
    """A chord symbol and the time (quarters) from which it holds up to the next one or the end of the song."""

    onset: Fraction
    duration: Fraction
    bar: int
    symbol: ChordSymbol


@dataclass(frozen=True, slots=True)
class Place:
    """An event of the score: the bar that has it and its index in the bar's events."""

    bar: Bar
    index: int

    @property
    def event(self) -> Event:
        """The event itself."""
        return self.bar.events[self.index]

    @property
    def onset(self) -> Fraction:
        """Its time in quarters from the start of the song."""
        return self.bar.start + self.event.offset


def sounds(score: Score, voice: Voice) -> tuple[Sound, ...]:
    """Return what one voice sounds, in order; ties are joined."""
    heard: list[Sound] = []
    chain: list[Note] = []
    onset, length, bar_index = Fraction(0), Fraction(0), 0
    for bar in score.bars(voice):
        for event in bar.events:
            if not isinstance(event, Note):
                continue
            if chain and event.tied:
                chain.append(event)
                length = bar.start + event.offset + event.length - onset
            else:
                if chain:
                    heard.append(_sound(voice, onset, length, bar_index, chain))
                chain = [event]
                onset, length, bar_index = bar.start + event.offset, event.length, bar.index
    if chain:
        heard.append(_sound(voice, onset, length, bar_index, chain))
    return tuple(heard)


def _sound(voice: Voice, onset: Fraction, length: Fraction, bar: int, chain: list[Note]) -> Sound:
    return Sound(voice, onset, length, chain[0].pitch, chain[0].spelled, bar, tuple(chain))


def chords(score: Score) -> tuple[ChordAt, ...]:
    """Return the chord symbols by time, from whichever voice has them, those outside the vocabulary too."""
    found = sorted(
        (
            (bar.start + event.offset, bar.index, event.chord)
            for voice in VOICES
            for bar in score.bars(voice)
            for event in bar.events
            if isinstance(event, Note | Rest) and event.chord is not None
        ),
        key=lambda one: one[0],
    )
    ends = [onset for onset, _, _ in found[1:]] + [score.duration] * bool(found)
    return tuple(
        ChordAt(onset, max(end - onset, Fraction(0)), bar, symbol)
        for (onset, bar, symbol), end in zip(found, ends, strict=True)
    )


def meters(score: Score, voice: Voice = Voice.VOCAL) -> tuple[tuple[Fraction, Meter], ...]:
    """Return the meters of one voice with the times (quarters) from which they hold; the first is at 0."""
    changes = [(Fraction(0), score.header.meter)]
    for bar in score.bars(voice):
        if bar.meter != changes[-1][1]:
            changes.append((bar.start, bar.meter))
    return _without_idle(changes)


def keys(score: Score, voice: Voice = Voice.VOCAL) -> tuple[tuple[Fraction, Key], ...]:
    """Return the keys of one voice with the times (quarters) from which they hold; the first is at 0."""
    changes = [(Fraction(0), score.header.key)]
    for bar in score.bars(voice):
        if bar.key != changes[-1][1]:
            changes.append((bar.start, bar.key))
        changes.extend((bar.start + event.offset, event.key) for event in bar.events if isinstance(event, KeyChange))
    return _without_idle(changes)


def _without_idle(changes: list[tuple[Fraction, T]]) -> tuple[tuple[Fraction, T], ...]:
    """Keep the last of several changes at one time, and none that changes nothing."""
    by_time = dict(changes)
    kept: list[tuple[Fraction, T]] = []
    for time, value in by_time.items():
        if not kept or kept[-1][1] != value:
            kept.append((time, value))
    return tuple(kept)


def places(score: Score, voice: Voice) -> Iterator[Place]:
    """Go through all events of one voice in order."""
    for bar in score.bars(voice):
        for index in range(len(bar.events)):
            yield Place(bar, index)


def bar_at(score: Score, line: int, column: int) -> Bar | None:
    """Return the bar that is written at a place of the text (its closing bar line included), or None."""
    for voice in VOICES:
        for bar in score.bars(voice):
            if bar.span.line == line and bar.span.column <= column <= bar.span.end:
                return bar
    return None


def place_at(score: Score, line: int, column: int) -> Place | None:
    """Return the event that is written at a place of the text, its chord symbol included, or None."""
    bar = bar_at(score, line, column)
    if bar is None:
        return None
    for index, event in enumerate(bar.events):
        chord = None if isinstance(event, KeyChange) else event.chord
        first = chord.span.column if chord else event.span.column
        if first <= column < event.span.end:
            return Place(bar, index)
    return None


def seconds(quarters: Fraction, tempo: int) -> float:
    """Return a time in quarters as seconds at a tempo of so many quarter notes a minute."""
    return float(quarters * 60 / tempo)
