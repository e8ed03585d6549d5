"""One voice of an ordinary ABC tune: its music read token by token into bars."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from yue2_desktop.score.chords import nearest_chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.abc_fields import abc_key, abc_length, abc_meter, abc_tempo
from yue2_desktop.score.importing.readbar import ReadBar
from yue2_desktop.score.importing.repeats import BarSigns
from yue2_desktop.score.importing.sketch import MAX_BARS, MAX_NOTES, Changes, Tone
from yue2_desktop.score.keys import Key
from yue2_desktop.score.pitch import MARK_ALTERS, Pitch
from yue2_desktop.score.reading.tuplets import OpenTuplet, usual_q
from yue2_desktop.song.errors import Problem, ProblemKind

_LENGTH = r"(?:\d{0,4}(?:/+\d{0,4})?)"
_TOKEN = re.compile(
    rf"""
    (?P<quoted>"(?P<text>[^"]*)"?)
  | (?P<field>\[(?P<name>[A-Za-z]):(?P<value>[^\]]*)\]?)
  | (?P<chord>\[(?P<notes>[\^_=A-Ga-g,'\d/\-\s]+)\](?P<chord_length>{_LENGTH}))
  | (?P<bar>[:|\[]*\|[\]:|]*(?:\s*\[?(?P<ending>\d[\d,\-]*))?|::|\[(?P<bare_ending>\d[\d,\-]*))
  | (?P<note>(?P<mark>\^{{1,2}}|_{{1,2}}|=)?(?P<letter>[A-Ga-g])(?P<octave>[,']*)(?P<length>{_LENGTH}))
  | (?P<rest>[zxZX](?P<rest_length>{_LENGTH}))
  | (?P<tuplet>\((?P<p>\d)(?::(?P<q>\d?))?(?::(?P<r>\d{{0,2}}))?)
  | (?P<tie>-)
  | (?P<broken><{{1,3}}|>{{1,3}})
  | (?P<grace>\{{[^}}]*\}}?)
  | (?P<sign>![^!]*!|\+[^+\s]*\+)
  | (?P<overlay>&)
    """,
    re.VERBOSE,
)
_NOTE = re.compile(rf"(\^{{1,2}}|_{{1,2}}|=)?([A-Ga-g])([,']*)({_LENGTH})(-?)")
_BROKEN = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8)}


class VoiceReader:
    """Reads the music of one voice; what holds from line to line is here. Bars so far are in `bars`."""

    def __init__(self, key: Key, meter: Meter, unit: Fraction, changes: Changes) -> None:
        self.bars: list[ReadBar] = []
        self._key, self._meter, self._unit = key, meter, unit
        self._changes = changes
        self._bar = ReadBar(meter=meter, keys=[(Fraction(0), key)])
        self._now = Fraction(0)
        self._memory: dict[str, int] = {}
        self._held: Pitch | None = None
        self._tuplet: OpenTuplet | None = None
        self._broken: Fraction | None = None
        self._endings: frozenset[int] = frozenset()
        self._begins = False
        self._silenced = False
        self._notes = 0
        self._readers: dict[str, Callable[[re.Match[str]], None]] = {
            "quoted": self._quoted,
            "field": self._field,
            "chord": self._chord,
            "bar": self._barline,
            "note": self._note,
            "rest": self._rest,
            "tuplet": self._tuplet_mark,
            "tie": self._tie,
            "broken": self._broken_mark,
            "grace": self._grace,
            "sign": self._sign,
            "overlay": self._overlay,
        }

    def line(self, music: str) -> None:
        """Read a line of music. Raises Problem(BAD_FILE) beyond the limits of notes and bars."""
        for found in _TOKEN.finditer(music):
            kind = next(kind for kind in self._readers if found[kind] is not None)
            if not self._silenced or kind == "bar":
                self._readers[kind](found)

    def field(self, name: str, value: str) -> None:
        """Apply a field that stands inside the tune; others than K, M, L, Q and P mean nothing here."""
        if name == "K":
            read = abc_key(value)
            if read is not None:
                self._set_key(*read)
        elif name == "M":
            self._meter = abc_meter(value) or self._meter
            self._bar.meter = self._meter
        elif name == "L":
            self._unit = abc_length(value) or self._unit
        elif name == "Q":
            tempo = abc_tempo(value, self._unit)
            self._bar.tempi.extend([tempo] if tempo else [])
        elif name == "P" and value.strip():
            self._bar.labels.append(value.strip())

    def finish(self) -> list[ReadBar]:
        """Return all bars; a last one that no bar line closes is among them."""
        if self._now > 0:
            self._close(0)
        return self.bars

    def _set_key(self, key: Key, is_mode: bool) -> None:
        if is_mode:
            self._changes.say("Modal keys became the major or minor key of the same signature: {}.")
        self._key, self._memory = key, {}
        self._bar.keys.append((self._now, key))

    def _quoted(self, found: re.Match[str]) -> None:
        text = found["text"].strip()
        if not text or text[0] in "^_<>@":
            self._changes.say("Annotations left out: {}.")
            return
        chord = nearest_chord(text)
        if chord is None or not text[0].isalpha():
            self._changes.say("Chord symbols that name no chord, left out: {}.")
            return
        if chord.name != text:
            self._changes.say("Chord symbols simplified or spelled as the model knows them: {}.")
        self._bar.chords.append((self._now, chord))

    def _field(self, found: re.Match[str]) -> None:
        if found["name"] != "V":
            self.field(found["name"], found["value"])

    def _chord(self, found: re.Match[str]) -> None:
        inside = [(self._pitch(one[1], one[2], one[3]), one[4], one[5]) for one in _NOTE.finditer(found["notes"])]
        if not inside:
            return
        pitch, length, tie = max(inside, key=lambda one: one[0].midi)
        self._changes.say("Chords of notes that became their highest note: {}.")
        self._add(pitch, _length(length) * _length(found["chord_length"]))
        if tie:
            self._tie(found)

    def _note(self, found: re.Match[str]) -> None:
        self._add(self._pitch(found["mark"], found["letter"], found["octave"]), _length(found["length"]))

    def _pitch(self, mark: str | None, letter: str, octave: str) -> Pitch:
        name = letter.upper()
        height = (4 if letter.isupper() else 5) + octave.count("'") - octave.count(",")
        if mark:
            self._memory[name] = MARK_ALTERS[mark]
        held = self._held
        if not mark and held is not None and (held.letter, held.octave) == (name, height):
            return held
        return Pitch(name, self._memory.get(name, self._key.alters[name]), height)

    def _add(self, pitch: Pitch, units: Fraction) -> None:
        length = self._take(units)
        self._notes += 1
        if self._notes > 2 * MAX_NOTES:
            raise Problem(ProblemKind.BAD_FILE, "The file has too many notes; cut it to one song and import that.")
        self._bar.tones.append(("1", Tone(self._now, length, pitch.midi, pitch)))
        self._held = None
        self._now += length

    def _rest(self, found: re.Match[str]) -> None:
        self._held = None
        units = _length(found["rest_length"])
        if found["rest"][0] in "ZX":
            for at in range(min(int(units), MAX_BARS)):
                self._now = self._meter.quarters
                if at < int(units) - 1:
                    self._close(0)
            return
        self._now += self._take(units)

    def _take(self, units: Fraction) -> Fraction:
        """Return the quarters that so many units last here, inside tuplets and broken rhythm."""
        length = units * self._unit
        if self._broken is not None:
            length, self._broken = length * self._broken, None
        if self._tuplet is not None:
            length *= self._tuplet.factor
            self._tuplet = self._tuplet.next()
        return length

    def _tuplet_mark(self, found: re.Match[str]) -> None:
        p = int(found["p"])
        if p < 2:
            return
        q = int(found["q"]) if found["q"] else usual_q(p, self._meter)
        r = int(found["r"]) if found["r"] else p
        if q and r:
            self._tuplet = OpenTuplet(p, q, r)

    def _tie(self, _: re.Match[str]) -> None:
        if self._bar.tones:
            voice, last = self._bar.tones[-1]
            if last.end == self._now:
                self._bar.tones[-1] = (voice, Tone(last.onset, last.duration, last.pitch, last.spelled, tie=True))
                self._held = last.spelled

    def _broken_mark(self, found: re.Match[str]) -> None:
        short = _BROKEN[len(found["broken"])]
        if not self._bar.tones or self._bar.tones[-1][1].end != self._now:
            return
        factor = 2 - short if found["broken"][0] == ">" else short
        voice, last = self._bar.tones[-1]
        length = last.duration * factor
        self._bar.tones[-1] = (voice, Tone(last.onset, length, last.pitch, last.spelled, last.tie))
        self._now = last.onset + length
        self._broken = 2 - factor

    def _grace(self, _: re.Match[str]) -> None:
        self._changes.say("Grace notes left out: {}.")

    def _sign(self, _: re.Match[str]) -> None:
        self._changes.say("Decorations left out: {}.")

    def _overlay(self, _: re.Match[str]) -> None:
        self._changes.say("Overlaid voices (&) left out: {}.")
        self._silenced = True

    def _barline(self, found: re.Match[str]) -> None:
        signs = found["bar"] or ""
        self._silenced = False
        ends = signs.startswith(":")
        if self._now > 0:
            self._close(2 if ends else 0)
        elif ends and self.bars:
            last = self.bars[-1].signs
            self.bars[-1].signs = BarSigns(last.begins, max(last.times, 2), last.endings)
        if ends or (self._endings and ("||" in signs or "|]" in signs)):
            self._endings = frozenset()
        if signs.rstrip("0123456789,- [").endswith(":"):
            self._begins = True
        numbers = found["ending"] or found["bare_ending"]
        if numbers:
            self._endings = _endings(numbers)
        self._bar.signs = BarSigns(self._begins, 0, self._endings)

    def _close(self, times: int) -> None:
        bar = self._bar
        bar.length = self._now
        bar.signs = BarSigns(self._begins, times, self._endings)
        self.bars.append(bar)
        if len(self.bars) > MAX_BARS:
            raise Problem(ProblemKind.BAD_FILE, f"The file has more than {MAX_BARS} bars; cut it to one song.")
        self._bar, self._now, self._memory, self._begins = ReadBar(), Fraction(0), {}, False


def _endings(numbers: str) -> frozenset[int]:
    found: set[int] = set()
    for part in numbers.split(","):
        first, _, last = part.partition("-")
        if first.isdigit():
            found.update(range(int(first[:2]), int(last[:2] if last.isdigit() else first[:2]) + 1))
    return frozenset(found)


def _length(written: str) -> Fraction:
    """Return a written length in units: `3/2`, `/`, `//`, `2`."""
    if not written:
        return Fraction(1)
    whole, slash, below = written.partition("/")
    units = Fraction(int(whole or 1))
    if slash:
        deeper = below.lstrip("/")
        units /= int(deeper) if deeper and int(deeper) else 2 ** (1 + len(below) - len(deeper))
    return units
