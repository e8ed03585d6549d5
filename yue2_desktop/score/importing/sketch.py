"""What a foreign file says of a song, before it is written in the dialect: notes, chords, meters, keys, sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.keys import Key
from yue2_desktop.score.pitch import Pitch

#: More than this is no song of one voice; the reader says so instead of working for minutes.
MAX_NOTES = 4096
MAX_BARS = 1000


@dataclass(frozen=True, slots=True)
class Tone:
    """A note: onset and duration in quarters, MIDI pitch, its spelling where the file has one.

    `tie` says that it goes on into the next tone, which then begins where it ends and has the same pitch.
    """

    onset: Fraction
    duration: Fraction
    pitch: int
    spelled: Pitch | None = None
    tie: bool = False

    @property
    def end(self) -> Fraction:
        """When it ends, in quarters."""
        return self.onset + self.duration


@dataclass(frozen=True)
class Sketch:
    """A song as a foreign file tells it. Both voices have one tone at a time, in order.

    Times are quarters; `meters` and `keys` begin at 0; `end` is where the last bar ends at the earliest.
    """

    tempo: int
    meters: tuple[tuple[Fraction, Meter], ...]
    keys: tuple[tuple[Fraction, Key], ...]
    vocal: tuple[Tone, ...]
    ins: tuple[Tone, ...] = ()
    chords: tuple[tuple[Fraction, Chord], ...] = ()
    sections: tuple[tuple[Fraction, str], ...] = ()
    end: Fraction = Fraction(0)


@dataclass
class Changes:
    """Collects what had to be changed, each sentence once, in the order in which it came up."""

    _said: dict[str, int] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        """Add a sentence; `{}` in it stands for the number of times that it was said."""
        self._said[sentence] = self._said.get(sentence, 0) + 1

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences with their numbers."""
        return tuple(sentence.replace("{}", str(count)) for sentence, count in self._said.items())


@dataclass(frozen=True, slots=True)
class Imported:
    """A score in the dialect's text, and what of the file was changed or left out, a sentence each."""

    text: str
    changes: tuple[str, ...]
