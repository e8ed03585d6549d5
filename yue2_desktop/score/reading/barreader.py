"""Reads the tokens of one bar after another: what each means in the key, the bar and after the tie that it follows."""

from __future__ import annotations

import re
from fractions import Fraction

from yue2_desktop.score.chords import is_far_from, parse_chord, respelled
from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import ChordSymbol, KeyChange, Meter, Note, Rest, Span, Tuplet, Voice
from yue2_desktop.score.keys import KEYS, Key
from yue2_desktop.score.lengths import read_length
from yue2_desktop.score.pitch import HIGHEST, LOWEST, MARK_ALTERS, SEMITONES
from yue2_desktop.score.reading.drafts import MAX_NOTES, Budget, Draft, Held, finished
from yue2_desktop.score.reading.tuplets import OpenTuplet, tuplet_numbers
from yue2_desktop.score.rules import Code

#: Octaves beyond these sound nowhere; marks past them are read as these, so that no number grows without end.
_LOWEST_OCTAVE, _HIGHEST_OCTAVE = -4, 14


class BarReader:
    """The state of one voice between tokens: key, meter, the bar so far, the marks in it, an open tie."""

    def __init__(self, voice: Voice, key: Key, meter: Meter, unit: int, findings: Findings, budget: Budget) -> None:
        self.voice = voice
        self.key = key
        self.meter = meter
        self.held: Held | None = None
        self.draft = Draft(meter, key, 1)
        self._unit = Fraction(4, unit)
        self._findings = findings
        self._budget = budget
        self._quarters: dict[int | Fraction, Fraction] = {}
        self._memory: dict[str, int] = {}
        self._chord: ChordSymbol | None = None
        self._tuplet: OpenTuplet | None = None
        self._number = 0

    def begin(self, line: int, column: int, index: int) -> None:
        """Begin the bar of this index at a place of the text."""
        self.draft = Draft(self.meter, self.key, column, line=line)
        self._memory = {}
        self._number = index + 1

    def close(self, column: int) -> list[Draft]:
        """Close the bar before the bar line at `column`, check it and return it (several for a run `Zn`)."""
        draft = self.draft
        draft.end = column
        draft.length = draft.position * self._unit
        if self._chord is not None:
            self._place_chord(self._chord)
            self._chord = None
        if self._tuplet is not None:
            span = draft.tuplets[-1].span
            self.say(Code.TUPLET_SHORT, span.column - 1, span.end - 1, "The tuplet does not end in this bar.")
            self._tuplet = None
        return finished(draft, self.voice, self._number, self._findings)

    def say(self, code: Code, start: int, end: int, sentence: str) -> None:
        """Report a breach between two indices (from 0) of the line being read."""
        self._findings.add(code, self.draft.line, start + 1, end + 1, sentence)

    def _units(self, written: str, start: int, end: int, what: str) -> int | Fraction:
        units, code, sentence = read_length(written, what)
        if code is not None:
            self.say(code, start, end, sentence)
        return units

    def _advance(self, units: int | Fraction) -> tuple[Fraction, Fraction, int | None]:
        """Move on by a note or rest and return its offset, its length and its tuplet."""
        draft = self.draft
        quarters = self._quarters
        tuplet = None
        position = draft.position
        sounding = units
        if self._tuplet is not None:
            tuplet = len(draft.tuplets) - 1
            sounding = units * self._tuplet.factor
            self._tuplet = self._tuplet.next()
        offset = quarters.get(position)
        if offset is None:
            offset = quarters[position] = position * self._unit
        length = quarters.get(sounding)
        if length is None:
            length = quarters[sounding] = sounding * self._unit
        draft.position = position + sounding
        return offset, length, tuplet

    def _take_chord(self) -> ChordSymbol | None:
        chord, self._chord = self._chord, None
        return chord

    def note(self, found: re.Match[str]) -> None:
        """Read a note."""
        mark, written, marks, digits, tie = found.group("mark", "letter", "octave", "length", "tie")
        start, end = found.span()
        letter = written.upper()
        octave = 4 if written == letter else 5
        if marks:
            octave += marks.count("'") - marks.count(",")
            octave = min(max(octave, _LOWEST_OCTAVE), _HIGHEST_OCTAVE)
        held = self.held
        if mark is not None:
            alter = self._memory[letter] = MARK_ALTERS[mark]
        elif held is not None and held.letter == letter and held.octave == octave:
            alter = held.alter
        else:
            alter = self._memory.get(letter, self.key.alters[letter])
        pitch = 12 * (octave + 1) + SEMITONES[letter] + alter
        if held is not None and held.pitch != pitch:
            self.say(Code.TIE_PITCH, start, end, "The note before is tied into this one, which has another pitch.")
            held = None
        if not LOWEST <= pitch <= HIGHEST:
            self.say(Code.PITCH_RANGE, start, end, f"This note would be MIDI {pitch}; pitches lie within 0 and 127.")
        units = self._units(digits, start, end, "note") if digits else 1
        offset, length, tuplet = self._advance(units)
        span = Span(self.draft.line, start + 1, end + 1)
        chord = self._chord
        self._chord = None
        self.draft.events.append(
            Note(
                offset,
                length,
                units,
                letter,
                alter,
                octave,
                pitch,
                mark or "",
                bool(tie),
                held is not None,
                chord,
                tuplet,
                span,
            )
        )
        self.held = Held(letter, octave, alter, pitch, self.draft.line, start + 1, end + 1) if tie else None
        self._budget.notes -= 1
        if self._budget.notes < 0:
            self._budget.spent = True
            self.say(Code.TOO_MANY_NOTES, start, end, f"More than {MAX_NOTES:,} notes; the rest is not read.")

    def silence(self, start: int, end: int) -> None:
        """Note that nothing sounds here, so that no tie may lead here."""
        if self.held is not None:
            self.say(Code.TIE_REST, start, end, "The note before is tied, but a rest follows.")
            self.held = None

    def rest(self, found: re.Match[str]) -> None:
        """Read a rest."""
        start, end = found.span()
        self.silence(start, end)
        units = self._units(found["rest_length"], start, end, "rest")
        self.append_rest(units, start, end)

    def append_rest(self, units: int | Fraction, start: int, end: int) -> None:
        """Add a rest of so many units to the bar."""
        offset, length, tuplet = self._advance(units)
        span = Span(self.draft.line, start + 1, end + 1)
        self.draft.events.append(Rest(offset, length, units, self._take_chord(), tuplet, span))

    def full_rest(self, found: re.Match[str]) -> None:
        """Read a full-bar rest or a run of them."""
        start, end = found.span()
        self.silence(start, end)
        draft = self.draft
        written = found["bars"]
        count = min(int(written[:4] or 1), 4096) if written else 1
        if written and written not in {"2", "3", "4"}:
            self.say(
                Code.FULL_REST_COUNT,
                start,
                end,
                f"Z{written[:12]} is not a full-bar rest of the dialect; write Z, Z2, Z3 or Z4.",
            )
            count = min(max(count, 1), 64)
        if self._chord is not None:
            self.say(
                Code.CHORD_FULL_REST,
                start,
                end,
                f'A chord over a silent bar is lost on Z; write "{self._chord.text}"z with the bar\'s length.',
            )
            self.append_rest(draft.meter.quarters / self._unit, start, end)
        elif draft.tokens > 1 or draft.events:
            self.say(Code.FULL_REST, start, end, "Z stands for a whole bar; nothing else may be in it.")
            draft.unread = True
        else:
            draft.rest_run = count

    def chord_symbol(self, found: re.Match[str]) -> None:
        """Read a chord symbol, which waits for its note or rest."""
        start, end = found.span()
        name = found["name"]
        span = Span(self.draft.line, start + 1, end + 1)
        if name[:1] in {"^", "_", "<", ">", "@"}:
            self.say(Code.ANNOTATION, start, end, f"The annotation {found[0]} is not in the dialect.")
            return
        chord = parse_chord(name)
        if chord is None:
            self.say(Code.CHORD_NAME, start, end, f"The chord '{name}' is not in the vocabulary.")
        elif is_far_from(chord, self.key):
            self.say(
                Code.CHORD_SPELLING,
                start,
                end,
                f"In {self.key.name} the chord {name} is usually spelled {respelled(chord, self.key).name}.",
            )
        if self.voice is Voice.INS:
            self.say(Code.CHORD_VOICE, start, end, f"The chord {name} stands in the Ins line; chords belong to Vocal.")
        if self._chord is not None:
            self._place_chord(self._chord)
        self._chord = ChordSymbol(name, chord, span)
        if self.draft.position >= self.draft.meter.quarters / self._unit:
            self.say(Code.CHORD_PLACE, start, end, f"The chord {name} stands after the bar is full.")

    def _place_chord(self, symbol: ChordSymbol) -> None:
        span = symbol.span
        self._findings.add(
            Code.CHORD_PLACE, span.line, span.column, span.end, f"No note or rest follows the chord {symbol.text}."
        )

    def key_change(self, found: re.Match[str]) -> None:
        """Read an inline change of key."""
        start, end = found.span()
        draft = self.draft
        key = KEYS.get(found["key_name"])
        if self._chord is not None:
            self._place_chord(self._chord)
            self._chord = None
        if key is None:
            self.say(Code.KEY, start, end, f"The key '{found['key_name']}' is not one of the thirty keys.")
            draft.unread = True
            return
        position = draft.position
        if key == self.key:
            self.say(Code.FIELD_REDUNDANT, start, end, f"The key is {key.name} already.")
        elif position == 0 or position >= draft.meter.quarters / self._unit:
            self.say(Code.KEY_AT_BARLINE, start, end, "A key change at a bar line is a K: line of a new group.")
        self.key = key
        self._memory = {}
        draft.events.append(KeyChange(position * self._unit, key, Span(self.draft.line, start + 1, end + 1)))

    def tuplet_mark(self, found: re.Match[str]) -> None:
        """Read the mark that begins a tuplet."""
        start, end = found.span()
        numbers = tuplet_numbers(found["p"], found["q"], found["r"], self.draft.meter)
        if numbers is None:
            self.say(
                Code.TUPLET_FORM,
                start,
                end,
                f"The tuplet {found[0]} is not understood; write (p, (p:q or (p:q:r with p from 2 to 9.",
            )
            self.draft.unread = True
            return
        if self._tuplet is not None:
            self.say(Code.TUPLET_SHORT, start, end, "A tuplet begins inside another one.")
        self._tuplet = OpenTuplet(*numbers)
        span = Span(self.draft.line, start + 1, end + 1)
        self.draft.tuplets.append(Tuplet(*numbers, found[0], len(self.draft.events), span))
