"""Repairs of single tokens of a music line: lengths, rests, bar lines, text that does not belong there."""

from __future__ import annotations

import re
from fractions import Fraction

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.barbuild import held, rests
from yue2_desktop.score.editing.edit import Replacement
from yue2_desktop.score.elements import VOICES, Note, Rest
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.pitch import MARK_ALTERS, midi_of
from yue2_desktop.score.reading.tokens import TOKEN
from yue2_desktop.score.repairs.offer import Maker, Repair, instead, line_text, offer, place_of, text_of
from yue2_desktop.score.rules import Code
from yue2_desktop.score.timeline import bar_at, place_at
from yue2_desktop.score.writer import write_event

#: Text without which the bar sounds as it was read; the rest of what `drop-text` removes may have been music.
_SILENT = frozenset({Code.SLUR, Code.DECORATION, Code.ANNOTATION, Code.COMMENT})
_OUTER_LENGTH = re.compile(r"\](\d*(?:/+\d*)?)(-?)\Z")


def _spaces(parsed: Parsed, one: Diagnostic) -> Repair | None:
    return instead(parsed, one, "", "Remove the space.", safe=True)


def _drop_text(parsed: Parsed, one: Diagnostic) -> Repair | None:
    written = text_of(parsed, one)
    if one.code is Code.REST_FORM:
        length = re.sub(r"\D", "", written)
        return instead(parsed, one, f"z{length}", f"Write z{length}.", safe=True)
    return instead(parsed, one, "", f"Remove {written[:24]}.", safe=one.code in _SILENT)


def _lengths(parsed: Parsed, one: Diagnostic) -> Repair | None:
    place = place_at(parsed.score, one.line, one.column)
    event = place.event if place else None
    if not isinstance(event, Note | Rest) or event.span.column != one.column:
        return None
    units = Fraction(event.units)
    if units.denominator != 1 or units < 1:
        return None
    whole = int(units)
    if isinstance(event, Note):
        pieces = held(event, whole, chord=None, begins=True, tie=event.tie)
        what = "Write the length as tied notes" if len(pieces) > 1 else "Write the length"
    else:
        pieces = rests(whole)
        what = "Write the length as several rests" if len(pieces) > 1 else "Write the length"
    if event.tuplet is not None and len(pieces) > 1:
        return None
    text = "".join(write_event(piece) for piece in pieces)
    return instead(parsed, one, text, f"{what}: {text[:24]}.", safe=True)


def _full_rests(parsed: Parsed, one: Diagnostic) -> Repair | None:
    bar = bar_at(parsed.score, one.line, one.column)
    if bar is None or len(bar.events) != 1:
        return None
    units = bar.meter.quarters / parsed.score.header.unit_quarters
    if units.denominator != 1:
        return None
    text = "".join(write_event(rest) for rest in rests(int(units)))
    return instead(parsed, one, text, f"Write the silence under the chord as {text}.", safe=True)


def _plain_rests(parsed: Parsed, one: Diagnostic) -> Repair | None:
    written = text_of(parsed, one)
    text = "" if written[:1] in "yY" else {"x": "z", "X": "Z"}[written[0]] + written[1:]
    return instead(parsed, one, text, f"Write {text or 'nothing'} for {written[:12]}.", safe=True)


def _top_notes(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Keep the highest note of a chord, with the length and the tie that the chord has."""
    written = text_of(parsed, one)
    outer = _OUTER_LENGTH.search(written)
    notes = [found for found in TOKEN.finditer(written[1:]) if found.lastgroup == "note"]
    if not notes or outer is None:
        return None

    def height(found: re.Match[str]) -> int:
        octave = 4 + found["letter"].islower() + found["octave"].count("'") - found["octave"].count(",")
        return midi_of(found["letter"].upper(), MARK_ALTERS.get(found["mark"] or "", 0), octave)

    top = max(notes, key=height)
    length = outer[1] or top["length"]
    text = f"{top['mark'] or ''}{top['letter']}{top['octave']}{length}{outer[2] or top['tie']}"
    return instead(parsed, one, text, f"Keep the top note: {text[:24]}.", safe=False)


def _barlines(parsed: Parsed, one: Diagnostic) -> Repair | None:
    start, end = place_of(parsed, one)
    if one.code is Code.BAR_OPEN:
        return offer(parsed, one, "Close the bar.", Replacement(end, end, "|"), safe=True)
    if one.code is Code.BAR_EMPTY:
        for voice in VOICES:
            for bar in parsed.score.bars(voice):
                span = bar.span
                if (span.line, span.column) == (one.line, one.column) and not bar.events and not bar.is_full_rest:
                    last = min(parsed.offset(span.line, span.end) + bar.closed, len(parsed.text))
                    return offer(parsed, one, "Remove the empty bar.", Replacement(start, last, ""), safe=True)
        return None
    before = line_text(parsed, one.line)[: one.column - 1].rstrip()
    text = "|" if before and not before.endswith("|") else ""
    return instead(parsed, one, text, "Write a plain bar line.", safe=True)


#: The repairs of this module by name.
TOKEN_REPAIRS: dict[str, Maker] = {
    "spaces": _spaces,
    "drop-text": _drop_text,
    "lengths": _lengths,
    "full-rests": _full_rests,
    "plain-rests": _plain_rests,
    "top-notes": _top_notes,
    "barlines": _barlines,
}
