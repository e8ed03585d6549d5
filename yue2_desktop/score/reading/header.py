"""Reads the eight header lines, says what is wrong with them and assumes what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import Meter, Span
from yue2_desktop.score.keys import KEYS, Key
from yue2_desktop.score.model import Header
from yue2_desktop.score.rules import Code

VOCAL_LINE = 'V: Vocal clef=treble name="Vocal Melody" snm="Vocal"'
INS_LINE = 'V: Ins clef=treble name="Ins Melody" snm="Inst."'
ORDER = ("X", "T", "M", "L", "Q", "Vocal", "Ins", "K")
DEFAULT_METER, DEFAULT_UNIT, DEFAULT_TEMPO, DEFAULT_KEY = Meter(4, 4), 16, 120, KEYS["C"]
SLOWEST_USUAL, FASTEST_USUAL = 40, 220
_SHOWN = {"X": "X:1", "T": "T:", "M": "M:", "L": "L:", "Q": "Q:", "Vocal": "V: Vocal", "Ins": "V: Ins", "K": "K:"}
_FIELD = re.compile(r"([A-Za-z]):")
_HEADER_ONLY = re.compile(r"[XTLQ]:|V:.*(?:clef|name|snm)=")
_METER = re.compile(r"(\d{1,3})/(\d{1,3})\Z")
_UNIT = re.compile(r"1/(\d{1,3})\Z")
_TEMPO = re.compile(r"1/4=(\d{1,4})\Z")
_LOOSE_TEMPO = re.compile(r"(?:(\d{1,2})/(\d{1,3})\s*=)?\s*(\d{1,4})")
_POWERS = frozenset(2**n for n in range(8))
_NAMED_METERS = {"C": Meter(4, 4), "C|": Meter(2, 2)}


def read_meter(written: str) -> Meter | None:
    """Return the meter that `M:` names in the dialect (a fraction, the lower number a power of two), or None."""
    found = _METER.match(written)
    if found is None or int(found[2]) not in _POWERS or int(found[1]) == 0:
        return None
    return Meter(int(found[1]), int(found[2]))


def meant_meter(written: str) -> Meter | None:
    """Return the meter that a foreign spelling means (`C`, `C|`, ` 4 / 4`), or None."""
    plain = re.sub(r"\s", "", written)
    return _NAMED_METERS.get(plain) or read_meter(plain)


def meant_key(written: str) -> Key | None:
    """Return the key that a foreign spelling means (`Cmaj`, `A min`, `A#:minor`, `e minor`), or None."""
    found = re.match(r"\s*([A-Ga-g])\s*([#b♯♭]?)[\s:]*(major|maj|minor|min|mi|m)?\b\s*\Z", written, re.IGNORECASE)
    if found is None:
        return None
    mode = found[3] or ""
    minor = mode == "m" or mode.lower() in {"minor", "min", "mi"}
    sign = {"♯": "#", "♭": "b"}.get(found[2], found[2])
    return KEYS.get(f"{found[1].upper()}{sign}{'m' if minor else ''}")


def header_length(lines: Sequence[str]) -> int:
    """Return how many lines at the top belong to the header, by what only a header has."""
    music = next((at for at, line in enumerate(lines) if _is_music(line)), len(lines))
    last = 0
    for at, line in enumerate(lines[:music]):
        if _HEADER_ONLY.match(line.lstrip("\ufeff")) or (line.startswith("K:") and not _in_group(lines, at)):
            last = at + 1
            if line.startswith("K:"):
                break
        elif last == 0 and line.startswith("M:") and at < 2:
            last = at + 1
    return last


def _is_music(line: str) -> bool:
    return (
        bool(line.strip())
        and not line.lstrip("\ufeff").startswith(("%", "```"))
        and not _FIELD.match(line.lstrip("\ufeff"))
    )


def _in_group(lines: Sequence[str], at: int) -> bool:
    """Whether the `K:` line at `at` stands between a group's voice line and its music."""
    before = at - 1
    while before >= 0 and lines[before].startswith("M:"):
        before -= 1
    if before < 0 or not lines[before].startswith("V:") or "clef" in lines[before]:
        return False
    return before == 0 or lines[before - 1].startswith("%")


class HeaderReader:
    """Reads the header lines one by one; `header` is what they gave."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._title = ""
        self._meter = DEFAULT_METER
        self._unit = DEFAULT_UNIT
        self._tempo = DEFAULT_TEMPO
        self._key = DEFAULT_KEY
        self._spans: dict[str, Span] = {}
        self._furthest = -1

    def read(self, lines: Sequence[str], first_line: int) -> Header:
        """Read the header's lines, of which the first has the number `first_line`, and return what they say."""
        for at, line in enumerate(lines):
            self._line(line, first_line + at)
        last = first_line + len(lines) - 1
        for name in ORDER:
            if name not in self._spans:
                after = [span.line for other, span in self._spans.items() if ORDER.index(other) > ORDER.index(name)]
                self._findings.add(Code.HEADER_MISSING, min(after, default=last + 1), 1, 2, self._missing(name))
        spans = tuple(self._spans.items())
        return Header(self._title, self._meter, self._unit, self._tempo, self._key, spans, last)

    def _missing(self, name: str) -> str:
        assumed = {
            "M": f"; {self._meter.text} is assumed",
            "L": f"; 1/{self._unit} is assumed",
            "Q": f"; 1/4={self._tempo} is assumed",
            "K": f"; {self._key.name} is assumed",
        }
        return f"The header line {_SHOWN[name]} is missing{assumed.get(name, '')}."

    def _line(self, line: str, number: int) -> None:
        skip = 1 if line.startswith("\ufeff") else 0
        text = line[skip:]
        span = Span(number, skip + 1, len(line) + 1)
        if not text.strip() or text.startswith("```"):
            return
        found = _FIELD.match(text)
        name = found[1] if found else ""
        if name == "V":
            name = "Ins" if re.match(r"V:\s*(?:Ins|2|I\b)", text, re.IGNORECASE) else "Vocal"
        if name not in ORDER:
            self._say(Code.HEADER_EXTRA, span, f"The line {text[:16]!r} does not belong to the header.")
            return
        place = ORDER.index(name)
        if name in self._spans:
            self._say(Code.HEADER_REPEATED, span, f"The header line {_SHOWN[name]} comes twice; the first counts.")
            return
        if place < self._furthest:
            shown = _SHOWN[ORDER[self._furthest]]
            self._say(Code.HEADER_ORDER, span, f"The header line {_SHOWN[name]} must come before {shown}.")
        self._furthest = max(self._furthest, place)
        self._spans[name] = span
        if name in {"Vocal", "Ins"}:
            exact = VOCAL_LINE if name == "Vocal" else INS_LINE
            if text != exact:
                self._say(Code.VOICE_HEADER, span, f"This header line must read {exact}.")
            return
        self._field(name, text[2:], span)

    def _field(self, name: str, value: str, span: Span) -> None:
        if name == "X":
            if value != "1":
                self._say(Code.NUMBER, span, "The first line must read X:1.")
        elif name == "T":
            self._title = value.strip()
            if value:
                self._say(Code.TITLE, span, "T: must be empty; keep the title in the project.")
        elif name == "M":
            self._meter = self._read_meter(value, span)
        elif name == "L":
            self._read_unit(value, span)
        elif name == "Q":
            self._read_tempo(value, span)
        else:
            self._read_key(value, span)

    def _read_meter(self, value: str, span: Span) -> Meter:
        meter = read_meter(value)
        if meter is not None:
            return meter
        meant = meant_meter(value) or self._meter
        self._say(Code.METER, span, f"M:{value[:16]} is not a fraction such as 4/4; {meant.text} is assumed.")
        return meant

    def _read_unit(self, value: str, span: Span) -> None:
        found = _UNIT.match(value)
        if found is None or int(found[1]) not in _POWERS:
            self._say(Code.UNIT, span, f"L:{value[:16]} is not 1/N with N a power of two; 1/{self._unit} is assumed.")
            return
        self._unit = int(found[1])
        if self._unit not in {16, 32}:
            self._say(Code.UNIT_UNUSUAL, span, f"The model writes L:1/16 or L:1/32, not 1/{self._unit}.")

    def _read_tempo(self, value: str, span: Span) -> None:
        found = _TEMPO.match(value)
        if found is not None and int(found[1]) > 0:
            self._tempo = int(found[1])
            if not SLOWEST_USUAL <= self._tempo <= FASTEST_USUAL:
                self._say(
                    Code.TEMPO_UNUSUAL,
                    span,
                    f"The model is used to {SLOWEST_USUAL} to {FASTEST_USUAL} quarter notes a minute.",
                )
            return
        loose = _LOOSE_TEMPO.search(value)
        if loose is not None:
            beat = 4 * int(loose[1]) / max(int(loose[2]), 1) if loose[1] else 1
            self._tempo = min(max(round(int(loose[3]) * beat), 1), 999)
        self._say(Code.TEMPO, span, f"Q:{value[:16]} is not 1/4= and a whole number; 1/4={self._tempo} is assumed.")

    def _read_key(self, value: str, span: Span) -> None:
        key = KEYS.get(value)
        if key is None:
            key = meant_key(value) or self._key
            self._say(Code.KEY, span, f"K:{value[:16]} is not one of the thirty keys; {key.name} is assumed.")
        self._key = key

    def _say(self, code: Code, span: Span, sentence: str) -> None:
        self._findings.add(code, span.line, span.column, span.end, sentence)
