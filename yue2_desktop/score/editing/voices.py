"""Edits of whole voices and of the header: make instrumental, strip the chords, set the tempo."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from yue2_desktop.score.editing.barbuild import canonical, merged, rebuilt, silenced
from yue2_desktop.score.editing.columns import Column, columns_of
from yue2_desktop.score.editing.edit import Edit, Replacement, edit_of, refused
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.elements import VOICES, Bar, KeyChange, Note, Rest, Voice
from yue2_desktop.score.parser import Parsed

SLOWEST, FASTEST = 10, 400


def make_instrumental(parsed: Parsed) -> Edit:
    """Move the vocal melody to Ins, in place of what Ins has in those bars; the chords stay on Vocal."""
    unit = parsed.score.header.unit_quarters
    columns, moved, lost = [], 0, 0
    for column in columns_of(parsed.score):
        vocal = column.vocal
        if vocal is None or not vocal.notes:
            columns.append(column)
            continue
        moved += 1
        lost += bool(column.ins is not None and column.ins.notes)
        melody = without_chords(replace(vocal, voice=Voice.INS), unit)
        columns.append(Column(silenced(vocal, unit), melody, column.labels, column.source))
    if not moved:
        raise refused("The Vocal voice has no notes; the score is instrumental already.")
    description = f"Make instrumental: move the vocal melody of {_bars(moved)} to Ins"
    if lost:
        description += f", in place of the Ins notes in {lost} of them"
    return rewritten(parsed, columns, description + ".")


def strip_chords(parsed: Parsed) -> Edit:
    """Remove all chord symbols, as `cot=melody` asks; silent bars become `Z`, notes that a chord divided are joined."""
    unit = parsed.score.header.unit_quarters
    columns, count = [], 0
    for column in columns_of(parsed.score):
        for voice in VOICES:
            bar = column.bar(voice)
            if bar is None:
                continue
            found = sum(1 for event in bar.events if not isinstance(event, KeyChange) and event.chord is not None)
            if found:
                count += found
                column = column.with_bar(voice, without_chords(bar, unit))
        columns.append(column)
    if not count:
        return Edit("Remove the chord symbols; there are none.", ())
    return rewritten(parsed, columns, f"Remove {count} chord symbol{'s' if count > 1 else ''}.")


def without_chords(bar: Bar, unit: Fraction) -> Bar:
    """Return the bar without chord symbols, with the pieces joined that only a chord kept apart."""
    divided: list[Fraction] = []
    events = []
    for event in bar.events:
        if isinstance(event, Note | Rest) and event.chord is not None:
            divided.append(event.offset)
            event = replace(event, chord=None)
        events.append(event)
    if not divided:
        return bar
    plain = rebuilt(bar, events, unit)
    for offset in divided:
        plain = merged(plain, offset, unit)
    return canonical(plain)


def set_tempo(parsed: Parsed, tempo: int) -> Edit:
    """Set the tempo in quarter notes a minute; raises a `Problem` outside 10..400 or without a `Q:` line."""
    if not SLOWEST <= tempo <= FASTEST:
        raise refused(f"A tempo of {tempo} cannot be used; give {SLOWEST} to {FASTEST} quarter notes a minute.")
    span = parsed.score.header.span_of("Q")
    if span is None:
        raise refused("The header line Q: is missing; repair the header first.")
    place = Replacement(parsed.offset(span.line, span.column), parsed.offset(span.line, span.end), f"Q:1/4={tempo}")
    return edit_of(f"Set the tempo to {tempo} quarter notes a minute.", [place], parsed.text)


def _bars(count: int) -> str:
    return "1 bar" if count == 1 else f"{count} bars"
