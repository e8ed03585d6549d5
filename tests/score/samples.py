"""Scores for tests: the files of tests/scores, a small base score, and random canonical ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.elements import LENGTHS
from yue2_desktop.score.keys import KEYS
from yue2_desktop.song.errors import Problem

FOLDER = Path(__file__).parent.parent / "scores"
HEADER = """X:1
T:
M:{meter}
L:1/{unit}
Q:1/4={tempo}
V: Vocal clef=treble name="Vocal Melody" snm="Vocal"
V: Ins clef=treble name="Ins Melody" snm="Inst."
K:{key}
"""
#: The last group of `song`, where tests put their bars, starts here.
MUSIC_LINE, INS_LINE = 16, 18


def score_text(path: Path) -> str:
    """Return a score file as it is, with its line ends and byte order mark."""
    return path.read_bytes().decode("utf-8")


GOOD = {path.stem: score_text(path) for path in sorted(FOLDER.glob("[01]*.abc"))}
MALFORMED = {path.stem: score_text(path) for path in sorted(FOLDER.glob("[23]*.abc"))}


def header(meter: str = "4/4", unit: int = 16, tempo: int = 96, key: str = "C") -> str:
    """Return the eight header lines."""
    return HEADER.format(meter=meter, unit=unit, tempo=tempo, key=key)


def song(vocal: str = '"G"G16|', ins: str = "Z|", *, key: str = "C", meter: str = "4/4", fields: str = "") -> str:
    """Return a score of a whole group and one group of these music lines (lines 16 and 18 without `fields`)."""
    full = {"4/4": "c16", "6/8": "c12", "2/4": "c8"}[meter]
    first = f"% verse\nV: Vocal\n{full}|{full}|{full}|{full}|\nV: Ins\nZ4|\n"
    return f"{header(key=key, meter=meter)}{first}% chorus\nV: Vocal\n{fields}{vocal}\nV: Ins\n{fields}{ins}\n"


def bare(vocal: str, ins: str = "Z|", *, key: str = "C", meter: str = "4/4", unit: int = 16) -> str:
    """Return a score of one group with these music lines (lines 11 and 13)."""
    return f"{header(key=key, meter=meter, unit=unit)}% verse\nV: Vocal\n{vocal}\nV: Ins\n{ins}\n"


_METERS = {"4/4": 4, "3/4": 3, "2/4": 2, "6/8": 3, "5/8": 2.5}
_LABELS = ("intro", "verse", "chorus", "pre-chorus", "bridge", "outro")
_NOTES = ("C,", "B,", "C", "D", "E", "F", "G", "A", "B", "c", "d", "f", "b", "c'", "d''")
_CHORDS = ("", "m", "7", "maj7", "m7", "sus4", "dim", "m7b5", "m(maj7)")


class _Singer:
    """Writes the bars of one voice; a tie that is open decides the next note."""

    def __init__(self, rng: random.Random, chords: bool) -> None:
        self._rng = rng
        self._chords = chords
        self._tied: str | None = None

    def bar(self, units: int, key: str, *, last: bool) -> str:
        if self._tied is None and self._rng.random() < 0.25:
            return "Z"
        tokens: list[str] = []
        left = units
        silent = True
        while left:
            rng = self._rng
            if self._chords and rng.random() < 0.3:
                root = KEYS[key].usual(rng.randrange(12)).name
                bass = f"/{KEYS[key].usual(rng.randrange(12)).name}" if rng.random() < 0.2 else ""
                tokens.append(f'"{root}{rng.choice(_CHORDS)}{bass}"')
                silent = False
            if self._tied is None and left >= 2 and rng.random() < 0.1:
                unit = 2 if left >= 4 else 1
                tokens.append("(3" + "".join(self._note(unit) for _ in range(3)))
                left -= 2 * unit
                silent = False
                continue
            length = rng.choice([length for length in LENGTHS if length <= left])
            left -= length
            if self._tied is None and rng.random() < 0.2:
                tokens.append(f"z{'' if length == 1 else length}")
                continue
            silent = False
            note = self._note(length)
            if rng.random() < 0.2 and not (last and left == 0):
                self._tied = note.lstrip("^_=").rstrip("0123456789")
                note += "-"
            tokens.append(note)
        return "Z" if silent else "".join(tokens)

    def _note(self, length: int) -> str:
        written = "" if length == 1 else str(length)
        if self._tied is not None:
            letter, self._tied = self._tied, None
            return letter + written
        mark = self._rng.choice(["", "", "", "", "^", "_", "=", "^^", "__"])
        letter = self._rng.choice(_NOTES)
        return f"{mark}{letter}{written}"


def _line(bars: list[str]) -> str:
    """Join bars; silent ones side by side become one Z with their number."""
    written: list[str] = []
    run = 0
    for bar in [*bars, ""]:
        if bar == "Z":
            run += 1
            continue
        if run:
            written.append("Z|" if run == 1 else f"Z{run}|")
            run = 0
        if bar:
            written.append(f"{bar}|")
    return "".join(written)


def random_score(rng: random.Random) -> str:
    """Return a canonical score: sections, groups of up to four bars, meters, keys, chords, ties, tuplets."""
    meter, key = rng.choice(list(_METERS)), rng.choice(list(KEYS))
    unit = rng.choice([16, 32])
    text = header(meter, unit, rng.randrange(40, 221), key)
    vocal, ins = _Singer(rng, chords=rng.random() < 0.8), _Singer(rng, chords=False)
    groups = rng.randrange(1, 5)
    last_count = 4
    for number in range(groups):
        fields = ""
        if number and rng.random() < 0.3:
            meter = rng.choice([one for one in _METERS if one != meter])
            fields += f"M:{meter}\n"
        if number and rng.random() < 0.3:
            key = rng.choice([one for one in KEYS if one != key])
            fields += f"K:{key}\n"
        needs_label = number == 0 or (last_count < 4 and not fields)
        label = f"% {rng.choice(_LABELS)}\n" if needs_label or rng.random() < 0.4 else ""
        count = rng.randrange(1, 5)
        units = int(_METERS[meter] * unit / 4)
        bars: tuple[list[str], list[str]] = ([], [])
        for bar in range(count):
            last = number == groups - 1 and bar == count - 1
            bars[0].append(vocal.bar(units, key, last=last))
            bars[1].append(ins.bar(units, key, last=last))
        text += f"{label}V: Vocal\n{fields}{_line(bars[0])}\nV: Ins\n{fields}{_line(bars[1])}\n"
        last_count = count
    return text


def attempt(wish: Callable[[], Edit]) -> Edit | str:
    """Return the edit, or the sentence with which it was refused."""
    try:
        return wish()
    except Problem as problem:
        return problem.sentence


def scores() -> st.SearchStrategy[str]:
    """Return random canonical scores."""
    return st.integers(0, 2**32 - 1).map(lambda seed: random_score(random.Random(seed)))
