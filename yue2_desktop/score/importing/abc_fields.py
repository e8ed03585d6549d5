"""Header fields of ordinary ABC: meters, lengths, tempi and keys with their modes."""

from __future__ import annotations

import re
from fractions import Fraction

from yue2_desktop.score.elements import Meter
from yue2_desktop.score.keys import KEYS, Key, key_with
from yue2_desktop.score.pitch import Spelling

_METER = re.compile(r"\(?([\d+ ]{1,16})\)?\s*/\s*(\d{1,4})")
_LENGTH = re.compile(r"(\d{1,3})\s*/\s*(\d{1,4})")
_TEMPO = re.compile(r"((?:\d{1,3}/\d{1,3}\s*)+)=\s*(\d{1,4}(?:\.\d{1,3})?)")
_PLAIN_TEMPO = re.compile(r"^\s*(?:[A-Z]\d*\s*=\s*)?(\d{1,4})\s*$")
_KEY = re.compile(r"\s*([A-G])([#b♯♭]?)\s*([A-Za-z]{0,3})[A-Za-z]*")
#: How many fifths a mode's signature lies from its major's, and whether it sounds minor.
_MODES = {
    "": (0, False), "maj": (0, False), "ion": (0, False), "m": (-3, True), "min": (-3, True), "aeo": (-3, True),
    "mix": (-1, False), "dor": (-2, True), "phr": (-4, True), "lyd": (1, False), "loc": (-5, True),
}  # fmt: skip
_PLAIN_MODES = frozenset({"", "maj", "ion", "m", "min", "aeo"})


def abc_meter(value: str) -> Meter | None:
    """Return the meter of an `M:` field, None for `none` and what is no meter."""
    plain = value.strip()
    if plain in {"C", "c"}:
        return Meter(4, 4)
    if plain in {"C|", "c|"}:
        return Meter(2, 2)
    found = _METER.match(plain)
    if found is None:
        return None
    beats = sum(int(one) for one in found[1].split("+") if one.strip().isdigit())
    return Meter(min(beats, 999), min(int(found[2]), 1024)) if beats and int(found[2]) else None


def abc_length(value: str) -> Fraction | None:
    """Return the unit of an `L:` field in quarters, None for what is no length."""
    found = _LENGTH.match(value.strip())
    if found is None or not int(found[1]) or not int(found[2]):
        return None
    return Fraction(4 * int(found[1]), int(found[2]))


def usual_length(meter: Meter | None) -> Fraction:
    """Return the unit in quarters where no `L:` says it: a sixteenth in meters below 3/4, else an eighth."""
    short = meter is not None and meter.quarters < 3
    return Fraction(1, 4) if short else Fraction(1, 2)


def abc_tempo(value: str, unit: Fraction) -> float | None:
    """Return the quarters a minute of a `Q:` field, None for words alone; `unit` is that of `L:` in quarters."""
    plain = re.sub(r'"[^"]*"', "", value)
    found = _TEMPO.search(plain)
    if found is not None:
        beat = sum(
            (Fraction(int(one), int(two)) for one, two in re.findall(r"(\d+)/(\d+)", found[1]) if int(two)), Fraction(0)
        )
        return float(beat * 4) * float(found[2])
    bare = _PLAIN_TEMPO.match(plain)
    return float(unit) * int(bare[1]) if bare is not None else None


def abc_key(value: str) -> tuple[Key, bool] | None:
    """Return the key of a `K:` field and whether it stands for a mode that the dialect has not; None for no key.

    A mode becomes the major or minor key of its signature: D dorian is A minor's.
    """
    plain = value.strip()
    if plain[:4].lower() == "none" or plain[:2] in {"HP", "Hp"}:
        return KEYS["C"] if plain[:4].lower() == "none" else KEYS["D"], False
    found = _KEY.match(plain)
    if found is None:
        return None
    word = found[3].lower()
    if "=" in plain[: found.end() + 1]:  # K:G clef=bass
        word = ""
    mode = _MODES.get(word)
    if mode is None:
        word, mode = "", _MODES[""]
    alter = {"#": 1, "♯": 1, "b": -1, "♭": -1}.get(found[2], 0)
    fifths = Spelling(found[1], alter).fifths + mode[0]
    while fifths > 7:
        fifths -= 12
    while fifths < -7:
        fifths += 12
    return key_with(fifths, minor=mode[1]), word not in _PLAIN_MODES
