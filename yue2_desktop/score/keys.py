"""The thirty keys of the dialect, their signatures, and the usual spelling of any pitch in each of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from yue2_desktop.score.pitch import LETTERS, Spelling, spelling_at

_MAJORS = ("Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#")
_MINORS = ("Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#")
_SHARPS = "FCGDAEB"


@dataclass(frozen=True)
class Key:
    """A key as `K:` names it: `name` (`Eb`, `F#m`), sharps (+) or flats (-) of its signature, and its mode.

    `alters` maps each letter to the alteration that the signature gives it.
    """

    name: str
    fifths: int
    minor: bool
    alters: dict[str, int] = field(compare=False, hash=False, repr=False)

    @property
    def tonic(self) -> Spelling:
        """The spelled tonic."""
        return spelling_at(self.fifths + (3 if self.minor else 0))

    def usual(self, pitch_class: int) -> Spelling:
        """Return the usual spelling of a pitch class in this key.

        Twelve neighbours on the line of fifths hold every pitch class once: in C major Db..F#, in A minor Eb..G#,
        which are the scale, the borrowed notes on its flat side and the leading notes on its sharp side.
        """
        first = self.fifths - (3 if self.minor else 5)
        for place in range(first, first + 12):
            if (place * 7 - pitch_class) % 12 == 0:
                return spelling_at(place)
        raise ValueError(f"no pitch class {pitch_class}")


def _signature(fifths: int) -> dict[str, int]:
    order = _SHARPS if fifths > 0 else _SHARPS[::-1]
    marked = order[: abs(fifths)]
    return {letter: ((fifths > 0) - (fifths < 0)) if letter in marked else 0 for letter in LETTERS}


def _table() -> dict[str, Key]:
    keys = {}
    for at, (major, minor) in enumerate(zip(_MAJORS, _MINORS, strict=True)):
        for name, is_minor in ((major, False), (f"{minor}m", True)):
            keys[name] = Key(name, at - 7, is_minor, _signature(at - 7))
    return keys


#: The thirty keys by name: majors Cb..C#, minors Abm..A#m (spec/abc.md, 1.1).
KEYS = _table()
_BY_SIGNATURE = {(key.fifths, key.minor): key for key in KEYS.values()}


def key_with(fifths: int, *, minor: bool) -> Key:
    """Return the key with this signature and mode; `fifths` must be within -7..7."""
    return _BY_SIGNATURE[fifths, minor]


def moved_key(key: Key, semitones: int) -> Key:
    """Return the key that lies `semitones` higher, spelled with the fewest accidentals.

    Where six sharps and six flats compete, the side of the old signature stays; whole octaves keep the key itself.
    """
    if semitones % 12 == 0:
        return key
    wanted = (key.fifths + 7 * semitones) % 12
    choices = [fifths for fifths in range(-7, 8) if fifths % 12 == wanted]
    best = min(choices, key=lambda fifths: (abs(fifths), (fifths < 0) != (key.fifths < 0)))
    return key_with(best, minor=key.minor)
