"""One part of a MusicXML file: its notes, chords, meters, keys, tempo and rehearsal marks, bar by bar."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree.ElementTree import Element

from yue2_desktop.score.chords import nearest_chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.export.musicxml import KINDS
from yue2_desktop.score.importing.readbar import ReadBar
from yue2_desktop.score.importing.repeats import BarSigns
from yue2_desktop.score.importing.sketch import Changes, Tone
from yue2_desktop.score.keys import key_with
from yue2_desktop.score.pitch import LETTERS, Pitch, Spelling

_UNITS = {
    "breve": Fraction(8), "whole": Fraction(4), "half": Fraction(2), "quarter": Fraction(1), "eighth": Fraction(1, 2),
    "16th": Fraction(1, 4),
}  # fmt: skip
#: Kinds with more notes than the dialect's chords, and what they become.
_RICHER = {
    "dominant-ninth": "7", "dominant-11th": "7", "dominant-13th": "7", "major-ninth": "maj7", "major-11th": "maj7",
    "major-13th": "maj7", "minor-ninth": "m7", "minor-11th": "m7", "minor-13th": "m7", "augmented-seventh": "7",
    "power": "", "pedal": "", "Neapolitan": "", "Italian": "7", "French": "7", "German": "7", "Tristan": "m7b5",
}  # fmt: skip
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4})?")
_BY_KIND = {kind: quality for quality, (kind, degree) in KINDS.items() if degree is None}


class PartReader:
    """Reads the measures of a part one after another; divisions and open endings are remembered."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._divisions = 1
        self._transpose = 0
        self._endings: frozenset[int] = frozenset()

    def read(self, measure: Element) -> ReadBar:
        """Return what a measure has. Raises ValueError for numbers that are none."""
        bar = ReadBar()
        now = Fraction(0)
        last: Fraction = Fraction(0)
        for element in measure:
            tag = element.tag
            if tag == "note":
                if element.find("grace") is not None or element.find("cue") is not None:
                    self._changes.say("Grace and cue notes left out: {}.")
                    continue
                length = self._quarters(element.findtext("duration"))
                onset = last if element.find("chord") is not None else now
                self._note(bar, element, onset, length)
                last = onset
                now = max(now, onset + length)
            elif tag == "backup":
                now = max(now - self._quarters(element.findtext("duration")), Fraction(0))
            elif tag == "forward":
                now += self._quarters(element.findtext("duration"))
            elif tag == "attributes":
                self._attributes(bar, element, now)
            elif tag == "harmony":
                self._harmony(bar, element, now)
            elif tag in {"direction", "sound"}:
                self._direction(bar, element)
            elif tag == "barline":
                self._barline(bar, element)
            bar.length = max(bar.length, now)
        return bar

    def _quarters(self, ticks: str | None) -> Fraction:
        value = Fraction(ticks.strip()) if ticks and ticks.strip() else Fraction(0)
        if value < 0 or value.denominator > 1000 or value > 10**7:
            raise ValueError(f"a duration of {ticks}")
        return value / self._divisions

    def _note(self, bar: ReadBar, element: Element, onset: Fraction, length: Fraction) -> None:
        pitch = element.find("pitch")
        if pitch is None or not length:
            return
        spelled = _pitch(pitch)
        number = spelled.midi + self._transpose
        tie = any(one.get("type") == "start" for one in element.findall("tie"))
        voice = f"{element.findtext('staff') or '1'}.{element.findtext('voice') or '1'}"
        tone = Tone(onset, length, number, None if self._transpose else spelled, tie)
        bar.tones.append((voice, tone))

    def _attributes(self, bar: ReadBar, element: Element, now: Fraction) -> None:
        divisions = element.findtext("divisions")
        if divisions is not None:
            self._divisions = int(Fraction(divisions.strip()))
            if not 1 <= self._divisions <= 10**6:
                raise ValueError(f"divisions of {divisions}")
        time = element.find("time")
        if time is not None and time.find("senza-misura") is None:
            beats = sum(int(one) for one in (time.findtext("beats") or "4").split("+"))
            bar.meter = Meter(min(max(beats, 1), 999), min(max(int(time.findtext("beat-type") or "4"), 1), 1024))
        key = element.find("key")
        if key is not None and key.findtext("fifths") is not None:
            fifths = int(key.findtext("fifths") or "0")
            minor = (key.findtext("mode") or "major").strip().lower() in {"minor", "dorian", "phrygian", "aeolian"}
            bar.keys.append((now, key_with(min(max(fifths, -7), 7), minor=minor)))
        transpose = element.find("transpose")
        if transpose is not None:
            octaves = int(transpose.findtext("octave-change") or "0")
            self._transpose = int(float(transpose.findtext("chromatic") or "0")) + 12 * octaves
            if self._transpose:
                self._changes.say("The part of a transposing instrument was written as it sounds.")

    def _harmony(self, bar: ReadBar, element: Element, now: Fraction) -> None:
        root, kind = element.find("root"), element.find("kind")
        if root is None or kind is None or (kind.text or "").strip() == "none":
            return
        offset = element.findtext("offset")
        at = now + (Fraction(offset.strip()) / self._divisions if offset else 0)
        bass = element.find("bass")
        bass_name = f"/{_spelling(bass, 'bass').name}" if bass is not None else ""
        name = f"{_spelling(root, 'root').name}{self._quality(element, kind)}{bass_name}"
        chord = nearest_chord(name)
        if chord is None:
            return
        if at >= 0:
            bar.chords.append((at, chord))

    def _quality(self, element: Element, kind: Element) -> str:
        word = (kind.text or "").strip()
        adds_seventh = any(
            (one.findtext("degree-value") or "").strip() == "7" and (one.findtext("degree-type") or "").strip() == "add"
            for one in element.findall("degree")
        )
        if word == "suspended-fourth" and adds_seventh:
            return "7sus4"
        if word in _BY_KIND:
            if element.find("degree") is not None:
                self._changes.say("Chords with added or altered notes, simplified: {}.")
            return _BY_KIND[word]
        self._changes.say("Chords with added or altered notes, simplified: {}.")
        return _RICHER.get(word, "")

    def _direction(self, bar: ReadBar, element: Element) -> None:
        for sound in [element] if element.tag == "sound" else element.findall("sound"):
            if sound.get("tempo"):
                bar.tempi.append(float(sound.get("tempo") or 0))
            if sound.get("dacapo") or sound.get("dalsegno"):
                self._changes.say("Jumps such as D.C. and D.S. were not followed.")
        for kind in element.findall("direction-type"):
            bar.labels.extend((mark.text or "").strip() for mark in kind.findall("rehearsal"))
            metronome = kind.find("metronome")
            if metronome is not None and not bar.tempi:
                beat = _UNITS.get((metronome.findtext("beat-unit") or "").strip(), Fraction(1))
                if metronome.find("beat-unit-dot") is not None:
                    beat *= Fraction(3, 2)
                number = _NUMBER.search(metronome.findtext("per-minute") or "")
                if number is not None:
                    bar.tempi.append(float(number[0]) * float(beat))

    def _barline(self, bar: ReadBar, element: Element) -> None:
        ending = element.find("ending")
        if ending is not None and ending.get("type") == "start":
            numbers = (ending.get("number") or "1").replace(".", ",").split(",")
            self._endings = frozenset(int(one) for one in numbers if one.strip().isdigit())
        repeat = element.find("repeat")
        begins = repeat is not None and repeat.get("direction") == "forward"
        times = 0
        if repeat is not None and repeat.get("direction") == "backward":
            times = int(repeat.get("times") or "2")
        signs = bar.signs
        bar.signs = BarSigns(signs.begins or begins, signs.times or times, signs.endings or self._endings)
        if ending is not None and ending.get("type") in {"stop", "discontinue"}:
            self._endings = frozenset()


def _pitch(element: Element) -> Pitch:
    step = (element.findtext("step") or "").strip().upper()
    if step not in set(LETTERS):
        raise ValueError(f"a pitch of step {step!r}")
    alter = round(float(element.findtext("alter") or "0"))
    octave = int(element.findtext("octave") or "4")
    if not -2 <= alter <= 2 or not -1 <= octave <= 10:
        raise ValueError(f"a pitch of octave {octave}, alter {alter}")
    return Pitch(step, alter, octave)


def _spelling(element: Element, name: str) -> Spelling:
    step = (element.findtext(f"{name}-step") or "").strip().upper()
    if step not in set(LETTERS):
        raise ValueError(f"a {name} of step {step!r}")
    return Spelling(step, min(max(round(float(element.findtext(f"{name}-alter") or "0")), -2), 2))
