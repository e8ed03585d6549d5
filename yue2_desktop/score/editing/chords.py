"""Edits of chord symbols: set, change and remove one at a beat."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from yue2_desktop.score.chords import Chord, nearest_chord, same_chord
from yue2_desktop.score.editing.barbuild import NOWHERE, canonical, merged, opened, rebuilt, split_at
from yue2_desktop.score.editing.columns import columns_of
from yue2_desktop.score.editing.edit import Edit, refused
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.elements import Bar, ChordSymbol, Event, KeyChange, Voice
from yue2_desktop.score.parser import Parsed


def set_chord(parsed: Parsed, bar_index: int, offset: Fraction, name: str | None) -> Edit:
    """Put a chord symbol on Vocal at `offset` quarters into a bar, in place of one that is there; None removes it.

    A note that is held there is split with a tie, a silent bar is written out. Usual foreign spellings (`Emin7`,
    `D♭Δ`) are understood. Raises a `Problem` for chords outside the vocabulary and for places where none can stand.
    """
    chord = _chord(name) if name is not None else None
    bars = {bar.index: bar for bar in parsed.score.vocal_bars}
    bar = bars.get(bar_index)
    if bar is None:
        raise refused(f"Vocal has no bar {bar_index + 1}.")
    new = with_chord(bar, offset, chord, parsed.score.header.unit_quarters)
    columns = [
        column.with_bar(Voice.VOCAL, new) if column.vocal is bar else column for column in columns_of(parsed.score)
    ]
    what = f"Write the chord {chord.name}" if chord else "Remove the chord"
    return rewritten(parsed, columns, f"{what} in bar {bar_index + 1}.")


def with_chord(bar: Bar, offset: Fraction, chord: Chord | None, unit: Fraction) -> Bar:
    """Return the bar with this chord at `offset` quarters, or without one there (None)."""
    if not 0 <= offset < bar.meter.quarters:
        raise refused(f"Bar {bar.index + 1} lasts {bar.meter.quarters} quarter notes; {offset} lies outside it.")
    if chord is None:
        return _removed(bar, offset, unit)
    divided = split_at(opened(bar, unit), offset, unit)
    if divided is None:
        raise refused(
            f"No note or rest can begin {offset} quarter notes into bar {bar.index + 1}; choose another beat."
        )
    symbol = ChordSymbol(chord.name, chord, NOWHERE)
    return rebuilt(divided, [_at(event, offset, symbol) for event in divided.events], unit)


def _removed(bar: Bar, offset: Fraction, unit: Fraction) -> Bar:
    there = [event for event in bar.events if not isinstance(event, KeyChange) and event.offset == offset]
    if not there or there[0].chord is None:
        raise refused(f"No chord stands {offset} quarter notes into bar {bar.index + 1}.")
    plain = rebuilt(bar, [_at(event, offset, None) for event in bar.events], unit)
    return canonical(merged(plain, offset, unit))


def _at(event: Event, offset: Fraction, symbol: ChordSymbol | None) -> Event:
    if isinstance(event, KeyChange) or event.offset != offset:
        return event
    return replace(event, chord=symbol)


def _chord(name: str) -> Chord:
    chord = same_chord(name)
    if chord is None:
        near = nearest_chord(name)
        cure = f"the nearest is {near.name}" if near else "leave the chord out instead"
        raise refused(f"The chord '{name}' is not in the vocabulary; {cure}.")
    return chord
