"""Repairs of what the tokens mean: chord names, ties, pitches out of range, bars too short or too long."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.score.chords import nearest_chord, respelled, same_chord
from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.barbuild import canonical, held, rebuilt, rests
from yue2_desktop.score.editing.chords import with_chord
from yue2_desktop.score.editing.columns import columns_of
from yue2_desktop.score.editing.edit import Replacement
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.editing.voices import without_chords
from yue2_desktop.score.elements import Bar, Event, KeyChange, Note, Rest
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.pitch import HIGHEST, LOWEST
from yue2_desktop.score.repairs.offer import Maker, Repair, instead, offer, text_of
from yue2_desktop.score.rules import Code
from yue2_desktop.score.timeline import bar_at, place_at
from yue2_desktop.score.writer import write_bar, write_note


def _chord_names(parsed: Parsed, one: Diagnostic) -> Repair | None:
    name = text_of(parsed, one).strip('"')
    same = same_chord(name)
    if same is not None:
        return instead(parsed, one, f'"{same.name}"', f"Write the chord {name[:16]} as {same.name}.", safe=True)
    near = nearest_chord(name)
    if near is None:
        return instead(parsed, one, "", f"Remove '{name[:16]}', which names no chord.", safe=False)
    return instead(parsed, one, f'"{near.name}"', f"Simplify the chord {name[:16]} to {near.name}.", safe=False)


def _chord_spelling(parsed: Parsed, one: Diagnostic) -> Repair | None:
    bar = bar_at(parsed.score, one.line, one.column)
    if bar is None:
        return None
    key = bar.key
    for event in bar.events:
        if isinstance(event, KeyChange):
            key = event.key
        elif event.chord is not None and event.chord.span.column == one.column and event.chord.chord is not None:
            name = respelled(event.chord.chord, key).name
            return instead(parsed, one, f'"{name}"', f"Spell the chord {event.chord.text} as {name}.", safe=True)
    return None


def _chords_to_vocal(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Move all chords of an Ins bar to the same beats of Vocal; one that Vocal has there already stays."""
    ins = bar_at(parsed.score, one.line, one.column)
    columns = columns_of(parsed.score)
    at = next((at for at, column in enumerate(columns) if column.ins is ins), None) if ins else None
    if at is None or ins is None:
        return None
    vocal = columns[at].vocal
    if vocal is None:
        return None
    unit = parsed.score.header.unit_quarters
    safe = True
    for event in ins.events:
        if isinstance(event, KeyChange) or event.chord is None or event.chord.chord is None:
            continue
        there = [
            old.chord.chord
            for old in vocal.events
            if not isinstance(old, KeyChange) and old.chord is not None and old.offset == event.offset
        ]
        if there:
            safe = safe and there[0] == event.chord.chord
        else:
            vocal = with_chord(vocal, event.offset, event.chord.chord, unit)
    columns[at] = replace(columns[at], vocal=vocal, ins=without_chords(ins, unit))
    edit = rewritten(parsed, columns, f"Move the chords of Ins in bar {ins.index + 1} to Vocal.")
    return Repair(one.repair or "", safe, edit)


def _ties(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Remove the tie that leads to the place of the breach."""
    note = _tied_note(parsed, one)
    if note is None:
        return None
    span = note.span
    start = parsed.offset(span.line, span.column)
    end = parsed.offset(span.line, span.end)
    if not parsed.text[start:end].endswith("-"):
        return None
    return offer(parsed, one, "Remove the tie that leads nowhere.", Replacement(end - 1, end, ""), safe=True)


def _tied_note(parsed: Parsed, one: Diagnostic) -> Note | None:
    place = (one.line, one.column)
    if one.code is Code.TIE_END:
        here = place_at(parsed.score, *place)
        return here.event if here is not None and isinstance(here.event, Note) else None
    bar = bar_at(parsed.score, *place)
    if bar is None:
        return None
    before: Note | None = None
    for other in parsed.score.bars(bar.voice):
        for event in other.events:
            if (event.span.line, event.span.column) >= place:
                break
            if isinstance(event, Note):
                before = event
        if (other.span.line, other.span.column) >= (bar.span.line, bar.span.column):
            break
    return before if before is not None and before.tie else None


def _octaves(parsed: Parsed, one: Diagnostic) -> Repair | None:
    place = place_at(parsed.score, one.line, one.column)
    if place is None or not isinstance(place.event, Note):
        return None
    note = place.event
    octave, pitch = note.octave, note.pitch
    while pitch > HIGHEST:
        octave, pitch = octave - 1, pitch - 12
    while pitch < LOWEST:
        octave, pitch = octave + 1, pitch + 12
    text = write_note(replace(note, octave=octave))
    return instead(parsed, one, text, f"Move the note by octaves to {text}.", safe=False)


def _bar_length(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Fill a short bar with rests; shorten a long one from its end."""
    bar = bar_at(parsed.score, one.line, one.column)
    unit = parsed.score.header.unit_quarters
    if bar is None or any(not isinstance(event, KeyChange) and not _is_whole(event) for event in bar.events):
        return None
    missing = (bar.meter.quarters - bar.length) / unit
    if missing.denominator != 1 or not missing:
        return None
    if missing > 0:
        events: list[Event] | None = [*bar.events, *rests(int(missing))]
        what = "Fill the bar with rests"
    else:
        events = _shortened(bar, -int(missing))
        what = "Cut the bar to its meter"
    if events is None:
        return None
    new = canonical(rebuilt(bar, events, unit))
    text = write_bar(new)
    return instead(parsed, one, text, f"{what}: {text[:40]}.", safe=False)


def _is_whole(event: Note | Rest) -> bool:
    return isinstance(event.units, int) and event.units > 0


def _shortened(bar: Bar, surplus: int) -> list[Event] | None:
    events = list(bar.events)
    while surplus > 0 and events:
        last = events.pop()
        if isinstance(last, KeyChange) or last.tuplet is not None or not isinstance(last.units, int):
            return None
        left = last.units - surplus
        surplus -= last.units
        if left > 0:
            if isinstance(last, Note):
                events.extend(held(last, left, chord=last.chord, begins=True, tie=False))
            else:
                events.extend(rests(left, last.chord))
    if events and isinstance(events[-1], Note):
        events[-1] = replace(events[-1], tie=False)
    return events or None


#: The repairs of this module by name.
MUSIC_REPAIRS: dict[str, Maker] = {
    "chord-names": _chord_names,
    "chord-spelling": _chord_spelling,
    "chords-to-vocal": _chords_to_vocal,
    "ties": _ties,
    "octaves": _octaves,
    "bar-length": _bar_length,
}
