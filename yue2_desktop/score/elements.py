"""What a bar is made of: notes, rests, chord symbols, key changes, tuplets, with exact times and source places.

Times are `Fraction`s of a quarter note. Lines and columns count from 1 and an end column is exclusive, in characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.keys import Key
from yue2_desktop.score.pitch import Pitch

#: The lengths that one token may have, in units of `L:` (spec/abc.md, 1.2).
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
MAX_BARS_PER_LINE = 4


class Voice(StrEnum):
    """The two voices; the value is the name in `V: ` lines."""

    VOCAL = "Vocal"
    INS = "Ins"


VOICES = (Voice.VOCAL, Voice.INS)


@dataclass(frozen=True, slots=True)
class Span:
    """A place within one line of the text: columns `column` up to, not including, `end`."""

    line: int
    column: int
    end: int


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter such as 6/8."""

    numerator: int
    denominator: int

    @property
    def quarters(self) -> Fraction:
        """The length of a full bar in quarter notes."""
        return Fraction(4 * self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """The meter as `M:` writes it."""
        return f"{self.numerator}/{self.denominator}"


@dataclass(frozen=True, slots=True)
class ChordSymbol:
    """A chord symbol: the name as written, and the chord, None where the name lies outside the vocabulary."""

    text: str
    chord: Chord | None
    span: Span


@dataclass(frozen=True, slots=True)
class Note:
    """A written note. A sound held by ties is several notes; `timeline.sounds` joins them.

    `offset` and `length` are quarters from the start of the bar; `units` is the written length in units of `L:`
    (a tuplet's notes last less than they are written). `mark` is the accidental as written, `alter` the alteration
    that sounds. `tie` says that the note goes on into the next one, `tied` that it continues the one before.
    `pitch` may lie outside MIDI's 0..127 (rule pitch-range). `tuplet` is an index into the bar's tuplets.
    """

    offset: Fraction
    length: Fraction
    units: int | Fraction
    letter: str
    alter: int
    octave: int
    pitch: int
    mark: str
    tie: bool
    tied: bool
    chord: ChordSymbol | None
    tuplet: int | None
    span: Span

    @property
    def spelled(self) -> Pitch:
        """The spelled sounding pitch."""
        return Pitch(self.letter, self.alter, self.octave)


@dataclass(frozen=True, slots=True)
class Rest:
    """A written rest `z`; the fields are those of `Note`."""

    offset: Fraction
    length: Fraction
    units: int | Fraction
    chord: ChordSymbol | None
    tuplet: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class KeyChange:
    """An inline `[K:...]` at `offset` quarters from the start of the bar."""

    offset: Fraction
    key: Key
    span: Span


Event = Note | Rest | KeyChange


@dataclass(frozen=True, slots=True)
class Tuplet:
    """A tuplet `(p:q:r`: the next `r` notes or rests last q/p of their written length.

    `first` is the index in the bar's events of its first note or rest; `text` is the mark as written.
    """

    p: int
    q: int
    r: int
    text: str
    first: int
    span: Span


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of one voice.

    `index` counts the song's bars from 0. `start` (quarters) is the same in both voices: bars are laid out by the
    longest of the meter and the two voices' contents, so that a wrong bar moves what follows in both voices alike.
    `meter` and `key` are in force at the bar's start. A full-bar rest has no events, and `rest_run` is the n of the
    `Zn` that wrote it (1 for `Z`), `rest_piece` its place in that run from 0; in other bars `rest_run` is 0.
    `length` is the content's, `slot` the time until the next bar starts. `span` leaves out the closing bar line.
    """

    voice: Voice
    index: int
    group: int
    start: Fraction
    slot: Fraction
    meter: Meter
    key: Key
    events: tuple[Event, ...]
    tuplets: tuple[Tuplet, ...]
    length: Fraction
    rest_run: int
    rest_piece: int
    closed: bool
    span: Span

    @property
    def is_full_rest(self) -> bool:
        """Whether the bar is written as `Z` or part of a `Zn`."""
        return self.rest_run > 0

    @property
    def notes(self) -> tuple[Note, ...]:
        """The written notes of the bar."""
        return tuple(event for event in self.events if isinstance(event, Note))
