"""Spelled pitches: letters, alterations, octaves, and the line of fifths that orders their spellings."""

from __future__ import annotations

from dataclasses import dataclass

LETTERS = "CDEFGAB"
#: Semitones above C of the natural letters.
SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
#: Places of the natural letters on the line of fifths, C at 0.
FIFTHS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}
_LETTERS_BY_FIFTHS = "FCGDAEB"
#: How an alteration in semitones is written before a note, and after a chord's root.
NOTE_MARKS = {-2: "__", -1: "_", 0: "=", 1: "^", 2: "^^"}
NAME_MARKS = {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}
MARK_ALTERS = {"__": -2, "_": -1, "=": 0, "^": 1, "^^": 2}
LOWEST, HIGHEST = 0, 127


@dataclass(frozen=True, slots=True)
class Spelling:
    """A letter C..B with an alteration in semitones (-2..2), without an octave: a chord's root, a key's tonic."""

    letter: str
    alter: int

    @property
    def pitch_class(self) -> int:
        """Semitones above C, 0..11."""
        return (SEMITONES[self.letter] + self.alter) % 12

    @property
    def fifths(self) -> int:
        """The place on the line of fifths: C 0, G 1, F -1, F# 6, Gb -6."""
        return FIFTHS[self.letter] + 7 * self.alter

    @property
    def name(self) -> str:
        """The name in chord symbols and keys, such as `Bb` or `F##`."""
        return self.letter + NAME_MARKS[self.alter]


@dataclass(frozen=True, slots=True)
class Pitch:
    """A spelled pitch with its octave; C..B of octave 4 start at middle C (MIDI 60)."""

    letter: str
    alter: int
    octave: int

    @property
    def midi(self) -> int:
        """The MIDI number; outside 0..127 for pitches that no instrument here plays."""
        return midi_of(self.letter, self.alter, self.octave)

    @property
    def spelling(self) -> Spelling:
        """The pitch without its octave."""
        return Spelling(self.letter, self.alter)

    @property
    def name(self) -> str:
        """The name that people read, such as `F#4`."""
        return f"{self.letter}{NAME_MARKS[self.alter]}{self.octave}"


def midi_of(letter: str, alter: int, octave: int) -> int:
    """Return the MIDI number of a spelled pitch (middle C = C4 = 60)."""
    return 12 * (octave + 1) + SEMITONES[letter] + alter


def spelling_at(fifths: int) -> Spelling:
    """Return the spelling at a place on the line of fifths, moved by enharmonic turns of 12 into double marks at most.

    The naturals and up to two sharps or flats cover the places -15 (Fbb) to 19 (B##).
    """
    while fifths < -15:
        fifths += 12
    while fifths > 19:
        fifths -= 12
    alter, place = divmod(fifths + 1, 7)
    return Spelling(_LETTERS_BY_FIFTHS[place], alter)


def pitch_with(spelling: Spelling, midi: int) -> Pitch:
    """Return the pitch that sounds as `midi` and is spelled so; the spelling's pitch class must be the number's."""
    octave = (midi - SEMITONES[spelling.letter] - spelling.alter) // 12 - 1
    pitch = Pitch(spelling.letter, spelling.alter, octave)
    if pitch.midi != midi:
        raise ValueError(f"{spelling.name} does not sound as MIDI {midi}")
    return pitch
