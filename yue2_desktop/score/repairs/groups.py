"""Repairs of groups: written anew, silent voices supplied, an unfinished end dropped, keys made alike."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.barbuild import full_rest, opened, rebuilt, split_at
from yue2_desktop.score.editing.columns import Column, columns_of
from yue2_desktop.score.editing.edit import Edit, edit_between
from yue2_desktop.score.editing.keeping import first_loss
from yue2_desktop.score.editing.regroup import rewritten
from yue2_desktop.score.elements import VOICES, Bar, Event, KeyChange, Voice
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.repairs.music import MUSIC_REPAIRS
from yue2_desktop.score.repairs.offer import Maker, Repair, line_place
from yue2_desktop.score.rules import Code
from yue2_desktop.score.timeline import bar_at

#: The names of the repairs that write groups anew; in a repair of everything they are made once for all groups.
REGROUPINGS = frozenset({"regroup", "missing-ins"})
#: Here the two voices disagree, and writing the group anew takes the Vocal's side: that is for people to decide.
_UNSAFE = frozenset({Code.METER_DIFFERS, Code.KEY_DIFFERS, Code.BAR_COUNT})


def regrouped(parsed: Parsed, breaches: Iterable[Diagnostic], *, safe_only: bool = False) -> Edit:
    """Return the edit that writes the groups of these breaches anew, as far as nothing is lost by it.

    Missing bars become silent ones, labels of groups without music go to the next group.
    """
    wanted = set()
    for one in breaches:
        if one.repair in REGROUPINGS and not (safe_only and one.code in _UNSAFE):
            wanted |= _groups_at(parsed, one)
    for group in parsed.score.groups:
        if group.index in wanted and (
            first_loss(parsed, group, mending=True) is not None or (safe_only and _has_unsafe(parsed, group.index))
        ):
            wanted.discard(group.index)
    if not wanted:
        return Edit("Write the groups anew.", ())
    wanted |= {group.index for group in parsed.score.groups if not group.bar_count}
    columns = [_filled(column) if _group(column) in wanted else column for column in columns_of(parsed.score)]
    columns = _with_lost_labels(parsed, columns)
    return rewritten(parsed, _keys_at_barlines(columns, wanted), "Write the groups anew.", anew=frozenset(wanted))


def _has_unsafe(parsed: Parsed, index: int) -> bool:
    group = parsed.score.groups[index]
    return any(one.code in _UNSAFE and group.first_line <= one.line <= group.last_line for one in parsed.errors)


def _groups_at(parsed: Parsed, one: Diagnostic) -> set[int]:
    groups = parsed.score.groups
    at = bisect_right(groups, one.line, key=lambda group: group.first_line) - 1
    found = {at} if at >= 0 and one.line <= groups[at].last_line else set()
    if one.code is Code.GROUP_SHORT:
        found |= {index - 1 for index in found if index}
    return found


def _group(column: Column) -> int:
    return column.source[0] if column.source else -1


def _filled(column: Column) -> Column:
    """Return the column with a silent bar for a voice that lacks it."""
    for voice, bar, other in ((VOICES[0], column.vocal, column.ins), (VOICES[1], column.ins, column.vocal)):
        if bar is None and other is not None:
            column = column.with_bar(voice, full_rest(replace(other, voice=voice)))
    return column


def _with_lost_labels(parsed: Parsed, columns: Sequence[Column]) -> list[Column]:
    lost: dict[int, tuple[str, ...]] = {}
    waiting: tuple[str, ...] = ()
    for group in parsed.score.groups:
        labels = tuple(label.text for label in group.labels)
        if not group.bar_count:
            waiting += labels
        elif waiting:
            lost[group.index] = waiting
            waiting = ()
    return [
        replace(column, labels=lost[column.source[0]] + column.labels)
        if column.source is not None and column.source[1] == 0 and column.source[0] in lost
        else column
        for column in columns
    ]


def _keys_at_barlines(columns: Sequence[Column], wanted: set[int]) -> list[Column]:
    """Turn key changes at the bar lines of these groups into those of the bars, where both voices make them."""
    result = []
    for column in columns:
        if _group(column) in wanted and column.vocal is not None and column.ins is not None:
            bars = [_without_edge_keys(bar) for bar in (column.vocal, column.ins)]
            if bars[0].key == bars[1].key:
                column = replace(column, vocal=bars[0], ins=bars[1])
        result.append(column)
    return result


def _without_edge_keys(bar: Bar) -> Bar:
    events: list[Event] = []
    key = bar.key
    for event in bar.events:
        if isinstance(event, KeyChange) and event.offset == 0:
            key = event.key
        elif not (isinstance(event, KeyChange) and event.offset >= bar.length):
            events.append(event)
    if len(events) == len(bar.events):
        return bar
    shift = len(bar.events) - len(events)
    first = 0 if events and bar.events[-1] is not events[-1] else shift
    tuplets = tuple(replace(one, first=one.first - first) for one in bar.tuplets)
    return replace(bar, key=key, events=tuple(events), tuplets=tuplets)


def _regroup(parsed: Parsed, one: Diagnostic) -> Repair | None:
    edit = regrouped(parsed, [one])
    return Repair(one.repair or "", one.code not in _UNSAFE, Edit(_described(one), edit.replacements))


def _described(one: Diagnostic) -> str:
    if one.code in {Code.INS_MISSING, Code.BAR_COUNT, Code.MUSIC_MISSING, Code.VOCAL_MISSING}:
        return "Supply the missing bars as silence."
    if one.code in {Code.METER_DIFFERS, Code.KEY_DIFFERS}:
        return "Write the Vocal's meter and key in both voices."
    return "Write the group in its usual form."


def _same_keys(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Let the other voice change the key at the same beat; `K:` lines are written in both voices."""
    bar = bar_at(parsed.score, one.line, one.column)
    change = None
    if bar is not None:
        change = next((event for event in bar.events if event.span.column == one.column), None)
    if bar is None or not isinstance(change, KeyChange):
        edit = regrouped(parsed, [replace(one, repair="regroup")])
        return Repair(one.repair or "", False, Edit("Write the Vocal's key in both voices.", edit.replacements))
    columns = columns_of(parsed.score)
    for at, column in enumerate(columns):
        if column.bar(bar.voice) is not bar or column.vocal is None or column.ins is None:
            continue
        source, target = bar.voice, _other(bar.voice)
        if _change_at(column.vocal, change.offset) and _change_at(column.ins, change.offset):
            source, target = Voice.VOCAL, Voice.INS
        twins = column.bar(source), column.bar(target)
        assert twins[0] is not None
        assert twins[1] is not None
        wanted = _change_at(twins[0], change.offset) or change
        new = _with_key(twins[1], wanted, parsed.score.header.unit_quarters)
        if new is None:
            return None
        columns[at] = column.with_bar(target, new)
        what = f"Change the key of {target} to {wanted.key.name} at the same beat."
        return Repair(one.repair or "", False, rewritten(parsed, columns, what, anew=frozenset({bar.group})))
    return None


def _other(voice: Voice) -> Voice:
    return Voice.INS if voice is Voice.VOCAL else Voice.VOCAL


def _change_at(bar: Bar, offset: Fraction) -> KeyChange | None:
    return next((event for event in bar.events if isinstance(event, KeyChange) and event.offset == offset), None)


def _with_key(bar: Bar, change: KeyChange, unit: Fraction) -> Bar | None:
    if _change_at(bar, change.offset) is not None:
        events: list[Event] = [
            replace(event, key=change.key) if isinstance(event, KeyChange) and event.offset == change.offset else event
            for event in bar.events
        ]
        return replace(bar, events=tuple(events))
    divided = split_at(opened(bar, unit), change.offset, unit)
    if divided is None:
        return None
    events = []
    for event in divided.events:
        if event.offset == change.offset and not any(isinstance(one, KeyChange) for one in events[-1:]):
            events.append(change)
        events.append(event)
    return rebuilt(divided, events, unit)


def _drop_unfinished(parsed: Parsed, one: Diagnostic) -> Repair | None:
    """Drop the last group, which is not whole, and ties that led into it."""
    unfinished = parsed.unfinished
    if unfinished is None or unfinished.group_line == 0 or len(parsed.score.groups) < 2:
        return None
    text = parsed.text[: line_place(parsed, unfinished.group_line)[0]]
    rest = parse(text)
    for breach in rest.diagnostics:
        if breach.code is Code.TIE_END:
            repair = MUSIC_REPAIRS["ties"](rest, breach)
            text = repair.edit.apply(text) if repair else text
            rest = parse(text)
    line = unfinished.group_line
    edit = edit_between(f"Drop the unfinished group from line {line} on.", parsed.text, text)
    return Repair(one.repair or "", False, edit)


#: The repairs of this module by name.
GROUP_REPAIRS: dict[str, Maker] = {
    "regroup": _regroup,
    "missing-ins": _regroup,
    "same-keys": _same_keys,
    "drop-unfinished": _drop_unfinished,
}
