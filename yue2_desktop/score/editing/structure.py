"""Edits of the song's structure, both voices at once: bars and sections inserted, deleted, doubled; a group's meter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from yue2_desktop.score.editing.barbuild import canonical, full_rest, rebuilt, rests
from yue2_desktop.score.editing.columns import Column, columns_of
from yue2_desktop.score.editing.edit import Edit, refused
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.elements import VOICES, Bar, KeyChange, Meter, Rest
from yue2_desktop.score.model import Section
from yue2_desktop.score.parser import Parsed

MAX_NEW_BARS = 256
_MAX_LABEL = 80


def insert_bars(parsed: Parsed, after: int | None, count: int = 1) -> Edit:
    """Insert silent bars after a bar (its index), in its section, or before the first bar (None).

    They have the meter and the key that hold there. Raises a `Problem` when `count` is not 1..256.
    """
    _check_count(count)
    columns = _columns(parsed)
    if after is None:
        first = columns[0]
        new = [_silent(first, at_end=False) for _ in range(count)]
        new[0] = replace(new[0], labels=first.labels)
        result = [*new, replace(first, labels=()), *columns[1:]]
        where = "before bar 1"
    else:
        _check_range(columns, after, after + 1)
        new = [_silent(columns[after], at_end=True) for _ in range(count)]
        result = [*columns[: after + 1], *new, *columns[after + 1 :]]
        where = f"after bar {after + 1}"
    return rewritten(parsed, result, f"Insert {_bars(count)} {where}.")


def delete_bars(parsed: Parsed, first: int, last: int) -> Edit:
    """Delete the bars with the indices `first` up to, not including, `last`; ties into or out of them are cut.

    A label stays with what is left of its section and goes with the whole of it.
    """
    columns = _columns(parsed)
    _check_range(columns, first, last)
    kept = list(columns[:first])
    following = list(columns[last:])
    waiting: tuple[str, ...] = ()
    for column in columns[first:last]:
        waiting = column.labels or waiting
    if waiting and following and not following[0].labels:
        following[0] = replace(following[0], labels=waiting)
    return rewritten(parsed, [*kept, *following], f"Delete {_range(first, last)}.")


def duplicate_bars(parsed: Parsed, first: int, last: int) -> Edit:
    """Write the bars `first` up to, not including, `last` once more after themselves; their labels are not doubled."""
    columns = _columns(parsed)
    _check_range(columns, first, last)
    _check_count(last - first)
    copies = [replace(column, labels=()) for column in columns[first:last]]
    return rewritten(parsed, [*columns[:last], *copies, *columns[last:]], f"Duplicate {_range(first, last)}.")


def delete_section(parsed: Parsed, index: int) -> Edit:
    """Delete a section with its label."""
    section = _section(parsed, index)
    columns = _columns(parsed)
    result = [*columns[: section.first_bar], *columns[section.last_bar :]]
    return rewritten(parsed, result, f"Delete {_named(section)}.")


def duplicate_section(parsed: Parsed, index: int) -> Edit:
    """Write a section once more after itself, with its label."""
    section = _section(parsed, index)
    columns = _columns(parsed)
    _check_count(_size(section))
    copies = columns[section.first_bar : section.last_bar]
    result = [*columns[: section.last_bar], *copies, *columns[section.last_bar :]]
    return rewritten(parsed, result, f"Duplicate {_named(section)}.")


def insert_section(parsed: Parsed, before: int, label: str, count: int = 4) -> Edit:
    """Insert a section of silent bars before the section `before` (the number of sections appends it).

    It has the meter and key that hold at its place. Raises a `Problem` when the label is empty, longer than 80
    characters or more than one line, and when `count` is not 1..256.
    """
    _check_count(count)
    name = label.strip()
    if not name or len(name) > _MAX_LABEL or not name.isprintable() or name.startswith("%"):
        raise refused("A section's label is one line of 1 to 80 characters; give it a name such as verse.")
    columns = _columns(parsed)
    sections = parsed.score.sections
    if not 0 <= before <= len(sections):
        raise refused(f"There are {len(sections)} sections; section {before + 1} does not exist.")
    at = sections[before].first_bar if before < len(sections) else len(columns)
    like = columns[at - 1] if at else columns[0]
    new = [_silent(like, at_end=at > 0) for _ in range(count)]
    new[0] = replace(new[0], labels=(name,))
    return rewritten(parsed, [*columns[:at], *new, *columns[at:]], f"Insert the section '{name}' of {_bars(count)}.")


def set_meter(parsed: Parsed, group: int, meter: Meter) -> Edit:
    """Give one group another meter: its bars are filled with rests or lose rests at their ends.

    What follows keeps its own meter. Raises a `Problem` where notes would be cut off, or where the meter is no whole
    number of units.
    """
    groups = parsed.score.groups
    if not 0 <= group < len(groups):
        raise refused(f"There are {len(groups)} groups; group {group + 1} does not exist.")
    if not 1 <= meter.numerator <= 64 or meter.denominator not in {1, 2, 4, 8, 16, 32}:
        raise refused(f"The meter {meter.text} cannot be used; give n/d with d 1, 2, 4, 8, 16 or 32.")
    unit = parsed.score.header.unit_quarters
    if (meter.quarters / unit).denominator != 1:
        raise refused(
            f"A bar of {meter.text} is no whole number of the score's units (L:1/{parsed.score.header.unit})."
        )
    result = []
    for column in columns_of(parsed.score):
        if column.source is not None and column.source[0] == group:
            for voice in VOICES:
                bar = column.bar(voice)
                if bar is not None:
                    column = column.with_bar(voice, _refitted(bar, meter, parsed))
        result.append(column)
    number = sum(one.bar_count for one in groups[:group]) + 1
    return rewritten(parsed, result, f"Set the meter of the group from bar {number} to {meter.text}.")


def _refitted(bar: Bar, meter: Meter, parsed: Parsed) -> Bar:
    unit = parsed.score.header.unit_quarters
    moved = replace(bar, meter=meter)
    if bar.is_full_rest:
        return full_rest(moved)
    missing = meter.quarters - bar.length
    events = list(bar.events)
    if missing > 0:
        units = missing / unit
        if units.denominator != 1:
            raise refused(f"Bar {bar.index + 1} of {bar.voice} has tuplets that do not fill it; repair it first.")
        return canonical(rebuilt(moved, [*events, *rests(int(units))], unit))
    while missing < 0 and events:
        last = events[-1]
        if not isinstance(last, Rest) or last.chord is not None or last.tuplet is not None:
            what = "a key change" if isinstance(last, KeyChange) else "music"
            raise refused(
                f"Bar {bar.index + 1} of {bar.voice} has {what} that {meter.text} has no room for.", bar=bar.index
            )
        events.pop()
        missing += last.length
        if missing > 0:
            events.extend(rests(int(missing / unit)))
    return canonical(rebuilt(moved, events, unit))


def _columns(parsed: Parsed) -> Sequence[Column]:
    columns = columns_of(parsed.score)
    if not columns:
        raise refused("The score has no bars that could be edited.")
    return columns


def _silent(like: Column, *, at_end: bool) -> Column:
    """Return a new silent bar with the meter and the key that hold at the start or at the end of another."""
    model = like.vocal or like.ins
    assert model is not None, "a column has a bar in one voice at least"
    bar = full_rest(replace(model, key=like.last_key if at_end else like.key))
    return Column(replace(bar, voice=VOICES[0]), replace(bar, voice=VOICES[1]), (), None)


def _section(parsed: Parsed, index: int) -> Section:
    sections = parsed.score.sections
    if not 0 <= index < len(sections):
        raise refused(f"There are {len(sections)} sections; section {index + 1} does not exist.")
    return sections[index]


def _named(section: Section) -> str:
    name = f"the section '{section.label}'" if section.label else "the section without a label"
    return f"{name} ({_bars(_size(section))})"


def _size(section: Section) -> int:
    return section.last_bar - section.first_bar


def _check_count(count: int) -> None:
    if not 1 <= count <= MAX_NEW_BARS:
        raise refused(f"{count} bars cannot be added at once; give 1 to {MAX_NEW_BARS}.")


def _check_range(columns: Sequence[Column], first: int, last: int) -> None:
    if not 0 <= first < last <= len(columns):
        raise refused(f"The song has bars 1 to {len(columns)}; {_range(first, last)} cannot be chosen.")


def _bars(count: int) -> str:
    return "1 bar" if count == 1 else f"{count} bars"


def _range(first: int, last: int) -> str:
    return f"bar {first + 1}" if last == first + 1 else f"bars {first + 1} to {last}"
