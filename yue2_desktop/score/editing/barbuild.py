"""Builds bars from events: pieces of legal length, exact offsets, and the canonical form of a silent bar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from yue2_desktop.score.editing.edit import refused
from yue2_desktop.score.elements import LENGTHS, Bar, ChordSymbol, Event, KeyChange, Note, Rest, Span, Tuplet
from yue2_desktop.score.lengths import legal_pieces

NOWHERE = Span(0, 0, 0)


def rests(units: int, chord: ChordSymbol | None = None) -> list[Event]:
    """Return rests of legal lengths that last `units` together; the chord stands on the first."""
    return [
        Rest(Fraction(0), Fraction(0), piece, chord if at == 0 else None, None, NOWHERE)
        for at, piece in enumerate(legal_pieces(units))
    ]


def held(note: Note, units: int, *, chord: ChordSymbol | None, begins: bool, tie: bool) -> list[Event]:
    """Return tied notes of legal lengths that last `units` together and sound as `note` does.

    `begins` says that the first is the note's own beginning, with its mark and what it was tied to; otherwise it goes
    on from the note before. `tie` says that the last goes on into what follows.
    """
    pieces = legal_pieces(units)
    last = len(pieces) - 1
    return [
        replace(
            note,
            units=piece,
            mark=note.mark if at == 0 and begins else "",
            tie=tie or at < last,
            tied=note.tied if at == 0 and begins else True,
            chord=chord if at == 0 else None,
            tuplet=None,
        )
        for at, piece in enumerate(pieces)
    ]


def rebuilt(bar: Bar, events: Iterable[Event], unit: Fraction) -> Bar:
    """Return the bar with other events; offsets, lengths and tuplets follow from the units (of `unit` quarters)."""
    placed: list[Event] = []
    firsts: dict[int, int] = {}
    position = Fraction(0)
    for at, event in enumerate(events):
        if isinstance(event, KeyChange):
            placed.append(replace(event, offset=position))
            continue
        length = event.units * unit
        index = None
        if event.tuplet is not None:
            tuplet = bar.tuplets[event.tuplet]
            length = length * tuplet.q / tuplet.p
            if event.tuplet not in firsts:
                firsts[event.tuplet] = at
            index = list(firsts).index(event.tuplet)
        placed.append(replace(event, offset=position, length=length, tuplet=index))
        position += length
    tuplets: tuple[Tuplet, ...] = tuple(replace(bar.tuplets[old], first=at) for old, at in firsts.items())
    return replace(bar, events=tuple(placed), tuplets=tuplets, length=position, rest_run=0, rest_piece=0, closed=True)


def full_rest(bar: Bar) -> Bar:
    """Return the bar as a full-bar rest."""
    return replace(bar, events=(), tuplets=(), length=bar.meter.quarters, rest_run=1, rest_piece=0, closed=True)


def canonical(bar: Bar) -> Bar:
    """Return the bar, as `Z` where it is a whole bar of rests without a chord and without a change of key."""
    silent = bar.events and all(isinstance(event, Rest) and event.chord is None for event in bar.events)
    return full_rest(bar) if silent and bar.length == bar.meter.quarters else bar


def opened(bar: Bar, unit: Fraction) -> Bar:
    """Return the bar with its events written out: a full-bar rest becomes rests."""
    if not bar.is_full_rest:
        return bar
    return rebuilt(bar, rests(units_of(bar, unit)), unit)


def units_of(bar: Bar, unit: Fraction) -> int:
    """Return how many units the bar's meter has; raises a `Problem` where it is not a whole number."""
    units = bar.meter.quarters / unit
    if units.denominator != 1:
        raise refused(f"A bar of {bar.meter.text} is no whole number of the score's units (L:).")
    return int(units)


def split_at(bar: Bar, offset: Fraction, unit: Fraction) -> Bar | None:
    """Return the bar with an event beginning at `offset` (quarters): a held note is tied, a rest cut in two.

    None where the place lies inside a tuplet, between two units, or past the end of the bar.
    """
    events: list[Event] = []
    found = False
    for event in bar.events:
        if isinstance(event, KeyChange) or not event.offset < offset < event.offset + event.length:
            found = found or (not isinstance(event, KeyChange) and event.offset == offset)
            events.append(event)
            continue
        first = (offset - event.offset) / unit
        if event.tuplet is not None or first.denominator != 1 or not isinstance(event.units, int):
            return None
        before, after = int(first), event.units - int(first)
        found = True
        if isinstance(event, Note):
            events.extend(held(event, before, chord=event.chord, begins=True, tie=True))
            events.extend(held(event, after, chord=None, begins=False, tie=event.tie))
        else:
            events.extend(rests(before, event.chord))
            events.extend(rests(after))
    return rebuilt(bar, events, unit) if found else None


def merged(bar: Bar, offset: Fraction, unit: Fraction) -> Bar:
    """Return the bar with the event at `offset` joined to the one before, where nothing keeps them apart.

    They are joined when both are parts of one sound, or both rests, the second without a chord, and when their
    length together is one that a token may have.
    """
    events: list[Event] = []
    for event in bar.events:
        before = events[-1] if events else None
        if not isinstance(event, KeyChange) and event.offset == offset and _joins(before, event):
            assert isinstance(before, Note | Rest)
            units = before.units + event.units
            if isinstance(before, Note) and isinstance(event, Note):
                events[-1] = replace(before, units=units, tie=event.tie)
            else:
                events[-1] = replace(before, units=units)
            continue
        events.append(event)
    return rebuilt(bar, events, unit)


def _joins(before: Event | None, event: Note | Rest) -> bool:
    if isinstance(before, Note) and isinstance(event, Note):
        one_sound = before.tie and before.pitch == event.pitch and not event.mark
    elif isinstance(before, Rest) and isinstance(event, Rest):
        one_sound = True
    else:
        return False
    return (
        one_sound
        and event.chord is None
        and before.tuplet is None
        and event.tuplet is None
        and before.units + event.units in LENGTHS
    )


def silenced(bar: Bar, unit: Fraction) -> Bar:
    """Return the bar with rests for its notes: chords and key changes stay where they are, silence is not cut up."""
    events: list[Event] = []
    for index, event in enumerate(_without_tuplets(bar, unit)):
        if isinstance(event, KeyChange):
            events.append(event)
            continue
        before = events[-1] if events else None
        rest = Rest(event.offset, event.length, event.units, event.chord, event.tuplet, event.span)
        if index and rest.chord is None and rest.tuplet is None and isinstance(before, Rest) and before.tuplet is None:
            events[-1] = replace(before, units=before.units + rest.units)
        else:
            events.append(rest)
    return canonical(rebuilt(bar, _legal(events), unit))


def _without_tuplets(bar: Bar, unit: Fraction) -> list[Event]:
    """Return the events, with a plain rest for each tuplet that has a chord on its first note at most."""
    kept: list[Event] = []
    for at, event in enumerate(bar.events):
        if isinstance(event, KeyChange) or event.tuplet is None:
            kept.append(event)
            continue
        inside = [one for one in bar.events if not isinstance(one, KeyChange) and one.tuplet == event.tuplet]
        units = sum((one.length for one in inside), Fraction(0)) / unit
        plain = units.denominator == 1 and all(one.chord is None for one in inside[1:])
        if not plain or any(isinstance(one, KeyChange) for one in bar.events):
            kept.append(event)
        elif at == bar.tuplets[event.tuplet].first:
            kept.append(Rest(event.offset, Fraction(0), int(units), event.chord, None, event.span))
    return kept


def _legal(events: Sequence[Event]) -> list[Event]:
    """Return the events with rests of any whole length cut into legal ones."""
    cut: list[Event] = []
    for event in events:
        if isinstance(event, Rest) and event.tuplet is None and isinstance(event.units, int):
            cut.extend(rests(event.units, event.chord))
        else:
            cut.append(event)
    return cut
