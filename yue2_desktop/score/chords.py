"""Chord symbols: the dialect's vocabulary, their reading, and the nearest name inside it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yue2_desktop.score.keys import Key
from yue2_desktop.score.pitch import Spelling

#: Semitones above the root of each quality in the vocabulary (spec/abc.md, 1.2).
QUALITIES: dict[str, tuple[int, ...]] = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "dim": (0, 3, 6),
    "aug": (0, 4, 8),
    "7": (0, 4, 7, 10),
    "maj7": (0, 4, 7, 11),
    "m7": (0, 3, 7, 10),
    "dim7": (0, 3, 6, 9),
    "m7b5": (0, 3, 6, 10),
    "sus4": (0, 5, 7),
    "sus2": (0, 2, 7),
    "6": (0, 4, 7, 9),
    "m6": (0, 3, 7, 9),
    "7sus4": (0, 5, 7, 10),
    "m(maj7)": (0, 3, 7, 11),
}
_CHORD = re.compile(r"([A-G])(##|#|bb|b)?(.*?)(?:/([A-G])(##|#|bb|b)?)?\Z", re.DOTALL)
_ALTERS = {None: 0, "": 0, "#": 1, "##": 2, "b": -1, "bb": -2}
_UNICODE = str.maketrans({
    "♭": "b", "♯": "#", "Δ": "maj7", "△": "maj7", "∆": "maj7", "°": "dim", "º": "dim", "ø": "m7b5", "Ø": "m7b5",
    "−": "-", "–": "-", "𝄪": "##", "𝄫": "bb",
})  # fmt: skip
#: Spellings that other programs use for a quality of the vocabulary: the same chord under another name.
_ALIASES = {
    "maj": "", "M": "", "major": "", "min": "m", "mi": "m", "-": "m", "minor": "m", "+": "aug", "#5": "aug", "o": "dim",
    "dom7": "7", "M7": "maj7", "ma7": "maj7", "Maj7": "maj7", "j7": "maj7", "maj77": "maj7", "min7": "m7", "mi7": "m7",
    "-7": "m7", "o7": "dim7", "m7-5": "m7b5", "min7b5": "m7b5", "-7b5": "m7b5", "h7": "m7b5", "m7b57": "m7b5",
    "half-dim": "m7b5", "sus": "sus4", "4": "sus4", "2": "sus2", "maj6": "6", "M6": "6", "min6": "m6", "-6": "m6",
    "7sus": "7sus4", "sus47": "7sus4", "mmaj7": "m(maj7)", "mM7": "m(maj7)", "minmaj7": "m(maj7)", "-maj7": "m(maj7)",
    "m(M7)": "m(maj7)", "min(maj7)": "m(maj7)", "(maj7)": "maj7", "(b5)": "dim",
}  # fmt: skip
#: What a richer chord is simplified to, by the first pattern that its quality begins with.
_SIMPLER = (
    ("madd", "m"), ("m(maj", "m(maj7)"), ("mmaj", "m(maj7)"), ("mM", "m(maj7)"), ("maj", "maj7"), ("Maj", "maj7"),
    ("ma", "maj7"), ("M", "maj7"), ("m7b5", "m7b5"), ("m11b5", "m7b5"), ("m9b5", "m7b5"), ("dim7", "dim7"),
    ("dim", "dim"), ("m6", "m6"), ("min6", "m6"), ("m7", "m7"), ("m9", "m7"), ("m11", "m7"), ("m13", "m7"),
    ("min7", "m7"), ("min9", "m7"), ("min11", "m7"), ("-7", "m7"), ("-9", "m7"), ("-11", "m7"), ("m", "m"),
    ("-", "m"), ("6", "6"), ("69", "6"), ("7sus", "7sus4"), ("9sus", "7sus4"), ("13sus", "7sus4"), ("sus2", "sus2"),
    ("sus", "sus4"), ("aug", "aug"), ("+", "aug"), ("7", "7"), ("9", "7"), ("11", "7"), ("13", "7"), ("alt", "7"),
    ("add", ""), ("2", ""), ("5", ""), ("(", ""),
)  # fmt: skip
#: Names by which writers ask for silence instead of a chord.
NO_CHORD = frozenset({"N.C.", "NC", "N.C", "n.c.", "nc", "No Chord", "no chord", "none", "N", "-", ""})


@dataclass(frozen=True, slots=True)
class Chord:
    """A chord of the vocabulary: spelled root, quality (a key of `QUALITIES`), spelled bass or None."""

    root: Spelling
    quality: str
    bass: Spelling | None = None

    @property
    def name(self) -> str:
        """The symbol as the dialect writes it, without quotation marks."""
        return f"{self.root.name}{self.quality}{f'/{self.bass.name}' if self.bass else ''}"

    @property
    def pitch_classes(self) -> tuple[int, ...]:
        """The chord's notes above C (0..11), root first, without the bass."""
        return tuple((self.root.pitch_class + step) % 12 for step in QUALITIES[self.quality])

    @property
    def bass_class(self) -> int:
        """The pitch class of the lowest note."""
        return (self.bass or self.root).pitch_class


def parse_chord(name: str) -> Chord | None:
    """Return the chord that a symbol of the vocabulary names, or None where it lies outside it."""
    found = _CHORD.match(name)
    if found is None or found[3] not in QUALITIES:
        return None
    bass = Spelling(found[4], _ALTERS[found[5]]) if found[4] else None
    return Chord(Spelling(found[1], _ALTERS[found[2]]), found[3], bass)


def same_chord(name: str) -> Chord | None:
    """Return the chord of the vocabulary that a foreign spelling names (`D♭Δ`, `Emin7`), or None."""
    plain = re.sub(r"\s+", "", name.translate(_UNICODE))
    found = parse_chord(plain)
    if found is not None:
        return found
    parts = _CHORD.match(plain[:1].upper() + plain[1:])
    if parts is None:
        return None
    quality = parts[3] if parts[3] in QUALITIES else _ALIASES.get(parts[3])
    if quality is None:
        return None
    bass = Spelling(parts[4], _ALTERS[parts[5]]) if parts[4] else None
    return Chord(Spelling(parts[1], _ALTERS[parts[2]]), quality, bass)


def nearest_chord(name: str) -> Chord | None:
    """Return the chord of the vocabulary nearest to any symbol (`Cmaj9` -> `Cmaj7`), or None for no chord at all."""
    exact = same_chord(name)
    if exact is not None:
        return exact
    plain = re.sub(r"\s+", "", name.translate(_UNICODE))
    if plain in NO_CHORD or name.strip() in NO_CHORD:
        return None
    parts = re.match(r"([A-G])(##|#|bb|b)?([^/]*)(?:/([A-G])(##|#|bb|b)?)?", plain[:1].upper() + plain[1:])
    if parts is None:
        return None
    quality = next((simple for start, simple in _SIMPLER if parts[3].startswith(start)), "")
    bass = Spelling(parts[4], _ALTERS[parts[5]]) if parts[4] else None
    return Chord(Spelling(parts[1], _ALTERS[parts[2]]), quality, bass)


def respelled(chord: Chord, key: Key) -> Chord:
    """Return the same chord with root and bass spelled as is usual in a key: `Db` in C# minor becomes `C#`."""
    root = key.usual(chord.root.pitch_class)
    bass = key.usual(chord.bass.pitch_class) if chord.bass else None
    return Chord(root, chord.quality, bass)


def is_far_from(chord: Chord, key: Key) -> bool:
    """Whether the root's spelling lies so far from the key that nobody would write it there.

    Three fifths beyond the usual twelve are left alone: `Db7` before C in G major is an ordinary spelling.
    """
    first = key.fifths - (3 if key.minor else 5)
    return not first - 3 <= chord.root.fifths <= first + 14
