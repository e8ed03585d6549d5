"""Edits of single notes: another pitch, another length in a bar that stays full, a note for a rest and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from yue2_desktop.score.editing.barbuild import canonical, held, rebuilt, rests, units_of
from yue2_desktop.score.editing.columns import columns_of
from yue2_desktop.score.editing.edit import Edit, refused
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.elements import Bar, ChordSymbol, Event, KeyChange, Note, Rest, Voice
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.pitch import HIGHEST, LOWEST, Pitch, pitch_with
from yue2_desktop.score.timeline import Place, sounds


def set_pitch(parsed: Parsed, place: Place, pitch: Pitch | int) -> Edit:
    """Give a note, with all that is tied to it, another pitch; a rest becomes a note of that pitch.

    A MIDI number is spelled as is usual in the key. Raises a `Problem` outside 0..127.
    """
    event = place.event
    if isinstance(event, KeyChange):
        raise refused("A change of key has no pitch; choose a note.")
    spelled = pitch if isinstance(pitch, Pitch) else _spelled(pitch, place)
    if not LOWEST <= spelled.midi <= HIGHEST:
        raise refused(f"MIDI {spelled.midi} cannot be sounded; pitches lie within {LOWEST} and {HIGHEST}.")
    if isinstance(event, Note) and event.spelled == spelled:
        return Edit(f"The note is {spelled.name} already.", ())
    if isinstance(event, Rest):
        note = Note(
            event.offset, event.length, event.units, spelled.letter, spelled.alter, spelled.octave, spelled.midi,
            "", False, False, event.chord, event.tuplet, event.span,
        )  # fmt: skip
        return _replaced(parsed, {id(event): note}, place, f"Write {spelled.name} for a rest")
    chain = next(one.notes for one in sounds(parsed.score, place.bar.voice) if any(note is event for note in one.notes))
    changed: dict[int, Event] = {
        id(note): replace(
            note,
            letter=spelled.letter,
            alter=spelled.alter,
            octave=spelled.octave,
            pitch=spelled.midi,
            mark="",
        )
        for note in chain
    }
    return _replaced(parsed, changed, place, f"Change {event.spelled.name} to {spelled.name}")


def silence(parsed: Parsed, place: Place) -> Edit:
    """Turn a note, with all that is tied to it, into rests of the same length."""
    event = place.event
    if not isinstance(event, Note):
        raise refused("There is no note here to be silenced.")
    chain = next(one.notes for one in sounds(parsed.score, place.bar.voice) if any(note is event for note in one.notes))
    changed: dict[int, Event] = {
        id(note): Rest(note.offset, note.length, note.units, note.chord, note.tuplet, note.span) for note in chain
    }
    return _replaced(parsed, changed, place, f"Silence {event.spelled.name}")


def set_length(parsed: Parsed, place: Place, units: int) -> Edit:
    """Let a note last `units` (of `L:`) from where it begins in its bar; the bar stays full.

    A longer note takes from the rests after it, then from the front of the next note; a shorter one leaves a rest.
    Chords stay on their beats. Raises a `Problem` that says why where this is not possible.
    """
    bar, event = place.bar, place.event
    unit = parsed.score.header.unit_quarters
    if not isinstance(event, Note):
        raise refused("Only a note can be given another length; a rest follows from its neighbours.")
    if event.tuplet is not None:
        raise refused("The note is part of a tuplet, whose notes keep their lengths.")
    if units < 1:
        raise refused("A note lasts at least one unit; silence it instead.")
    first, last = _pieces(bar, place.index)
    final = bar.events[last]
    assert isinstance(final, Note)
    if final.tie:
        raise refused("The note is held into the next bar; change its length where it ends.")
    start = bar.events[first].offset / unit
    old_end = (final.offset + final.length) / unit
    if start.denominator != 1 or old_end.denominator != 1:
        raise refused("The note does not stand on the grid of units, because a tuplet is before it.")
    if units == old_end - start:
        return Edit(f"{event.spelled.name} lasts {units} units already.", ())
    room = units_of(bar, unit) - int(start)
    if units > room:
        raise refused(
            f"The bar has room for {room} units from this note on, not for {units}; tie a note in the next bar."
        )
    region = _Region(bar, first, last, unit)
    events = region.resized(int(start), int(old_end), units)
    new = canonical(rebuilt(bar, events, unit))
    columns = [
        column.with_bar(bar.voice, new) if column.bar(bar.voice) is bar else column
        for column in columns_of(parsed.score)
    ]
    return rewritten(parsed, columns, f"Let {event.spelled.name} in bar {bar.index + 1} last {units} units.")


def _pieces(bar: Bar, index: int) -> tuple[int, int]:
    """Return the first and the last event of the bar that belong to the sound of the note at `index`."""
    numbers = [at for at, event in enumerate(bar.events) if not isinstance(event, KeyChange)]
    at = numbers.index(index)
    first = last = at
    while first and _goes_on(bar.events[numbers[first - 1]], bar.events[numbers[first]]):
        first -= 1
    while last + 1 < len(numbers) and _goes_on(bar.events[numbers[last]], bar.events[numbers[last + 1]]):
        last += 1
    return numbers[first], numbers[last]


def _goes_on(one: Event, other: Event) -> bool:
    return isinstance(one, Note) and isinstance(other, Note) and one.tie and other.tied and other.tuplet is None


@dataclass(frozen=True, slots=True)
class _Region:
    """The sound that is to be resized, in its bar: the events `first` to `last`, and the unit in quarters."""

    bar: Bar
    first: int
    last: int
    unit: Fraction

    def resized(self, start: int, old_end: int, units: int) -> list[Event]:
        """Return the bar's events with the sound from `start` lasting `units`."""
        new_end = start + units
        inside = list(self.bar.events[self.first : self.last + 1])
        after = list(self.bar.events[self.last + 1 :])
        region_end = old_end
        front: list[Event] = []
        while after and (region_end < new_end or _is_silence(after[0])):
            event = after.pop(0)
            inside.append(event)
            if isinstance(event, KeyChange):
                continue
            if event.tuplet is not None or not isinstance(event.units, int):
                raise refused("A tuplet follows; the note cannot grow into it.")
            end = region_end + event.units
            if isinstance(event, Note) and end > new_end and region_end < new_end:
                inside[-1] = replace(event, units=new_end - region_end)
                front = held(event, end - new_end, chord=None, begins=True, tie=event.tie)
                region_end = new_end
            elif isinstance(event, Note):
                raise refused(
                    f"The next note, {event.spelled.name}, would vanish; shorten this one or silence that one."
                )
            else:
                region_end = end
        note = self.bar.events[self.first]
        assert isinstance(note, Note)
        return [
            *self.bar.events[: self.first],
            *_filled(note, inside, start, new_end, region_end, self.unit),
            *front,
            *after,
        ]


def _is_silence(event: Event) -> bool:
    """Whether this is a rest that silence left behind may be joined to."""
    return isinstance(event, Rest) and event.chord is None and event.tuplet is None


def _filled(note: Note, inside: list[Event], start: int, end: int, region_end: int, unit: Fraction) -> list[Event]:
    """Return the region's new events: the note up to `end`, then silence, cut at chords and key changes."""
    cuts: dict[int, list[ChordSymbol | KeyChange]] = {}
    for event in inside:
        at = int(event.offset / unit)
        if isinstance(event, KeyChange):
            cuts.setdefault(at, []).insert(0, event)
        elif event.chord is not None:
            cuts.setdefault(at, []).append(event.chord)
    edges = sorted({start, end, region_end, *cuts})
    events: list[Event] = []
    for left, right in zip(edges, [*edges[1:], region_end], strict=True):
        chord = None
        for cut in cuts.get(left, ()):
            if isinstance(cut, KeyChange):
                events.append(cut)
            else:
                chord = cut
        if left >= right:
            continue
        if left < end:
            events.extend(held(note, right - left, chord=chord, begins=left == start, tie=right < end))
        else:
            events.extend(rests(right - left, chord))
    return events


def _spelled(midi: int, place: Place) -> Pitch:
    key = place.bar.key
    for event in place.bar.events[: place.index]:
        if isinstance(event, KeyChange):
            key = event.key
    return pitch_with(key.usual(midi % 12), midi)


def _replaced(parsed: Parsed, changed: dict[int, Event], place: Place, what: str) -> Edit:
    """Return the edit that puts events in the place of others, by identity, in the bars that have them."""
    unit = parsed.score.header.unit_quarters
    voice: Voice = place.bar.voice
    columns = []
    for column in columns_of(parsed.score):
        bar = column.bar(voice)
        if bar is not None and any(id(event) in changed for event in bar.events):
            events = [changed.get(id(event), event) for event in bar.events]
            column = column.with_bar(voice, canonical(rebuilt(bar, events, unit)))
        columns.append(column)
    return rewritten(parsed, columns, f"{what} in bar {place.bar.index + 1}.")
