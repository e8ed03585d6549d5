"""Writes columns of bars as groups again, and leaves every line alone that says what it said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from yue2_desktop.score.editing.barbuild import canonical
from yue2_desktop.score.editing.columns import Column, columns_of, mended
from yue2_desktop.score.editing.edit import Edit, edit_between, refused
from yue2_desktop.score.editing.keeping import first_loss
from yue2_desktop.score.elements import MAX_BARS_PER_LINE, Bar, Meter, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Group
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.writer import voice_text, write_bars


@dataclass(frozen=True, slots=True)
class _Plan:
    """A group to be written: its columns, what changes at its start, the old group that it is, if any.

    `idle_meter` and `idle_key` say that the old group began with what was in force already.
    """

    columns: tuple[Column, ...]
    meter: Meter | None
    key: Key | None
    source: Group | None
    idle_meter: bool
    idle_key: bool


def rewritten(
    parsed: Parsed, columns: Sequence[Column], description: str, *, anew: frozenset[int] = frozenset()
) -> Edit:
    """Return the edit that makes the song consist of these columns.

    New groups of up to four bars are made where the grouping cannot stay, and in the old groups `anew`. Raises a
    `Problem` when no bar is left, where a bar that must be written is missing in one voice, and where writing a group
    again would lose text that was not understood.
    """
    if not columns:
        raise refused("A score needs at least one bar; the last one cannot be deleted.")
    before = columns_of(parsed.score)
    columns = mended(columns, before)
    lines = _lines(parsed)
    head = _head(parsed, columns[0], lines)
    header = parsed.score.header
    meter = header.meter if head is None else columns[0].meter
    key = header.key if head is None else columns[0].key
    first, last = _music_range(parsed, len(lines))
    texts = [head if head is not None else "".join(lines[: first - 1])]
    for group in parsed.score.groups:
        if not group.bar_count and group.index not in anew:
            raise refused(f"Line {group.first_line}: this group has no bars; repair it first.", line=group.first_line)
    for plan in _plans(parsed, columns, meter, key, anew):
        source = plan.source
        if source is not None and _is_unchanged(plan, source, before):
            start = parsed.score.groups[source.index - 1].last_line if source.index else source.first_line - 1
            texts.append("".join(lines[start : source.last_line]))
        else:
            _refuse_loss(parsed, plan, anew)
            texts.append(_text(plan))
    new = "".join(text if not text or text.endswith(("\n", "\r")) else text + "\n" for text in texts)
    new += "".join(lines[last:])
    if not parsed.score.final_newline and last >= len(lines):
        new = new.removesuffix("\n")
    return edit_between(description, parsed.text, new)


def _lines(parsed: Parsed) -> list[str]:
    """Return the lines with their ends, split where the parser splits them."""
    starts = [*parsed.line_starts, len(parsed.text)]
    return [parsed.text[one:two] for one, two in pairwise(starts) if one < two]


def _music_range(parsed: Parsed, count: int) -> tuple[int, int]:
    """Return the first line of the first group and the last line of the last one (from 1)."""
    groups = parsed.score.groups
    if not groups:
        return count + 1, count
    return groups[0].first_line, groups[-1].last_line


def _head(parsed: Parsed, first: Column, lines: Sequence[str]) -> str | None:
    """Return the text above the groups with meter and key of the first bar, None where it stays as it is.

    A first group that changes them itself is left to do so.
    """
    header = parsed.score.header
    old = columns_of(parsed.score)
    if old and (old[0].meter, old[0].key) == (first.meter, first.key):
        return None
    if (header.meter, header.key) == (first.meter, first.key):
        return None
    spans = {name: header.span_of(name) for name in ("M", "K")}
    if None in spans.values():
        return None
    above = list(lines[: parsed.score.groups[0].first_line - 1])
    for name, value in (("M", first.meter.text), ("K", first.key.name)):
        span = spans[name]
        assert span is not None
        line = above[span.line - 1]
        above[span.line - 1] = f"{line[: span.column - 1]}{name}:{value}{line[span.end - 1 :]}"
    return "".join(above)


def _plans(parsed: Parsed, columns: Sequence[Column], meter: Meter, key: Key, anew: frozenset[int]) -> Iterator[_Plan]:
    groups = parsed.score.groups
    old = columns_of(parsed.score)
    header = parsed.score.header
    in_force = {two.source: (one.meter, one.last_key) for one, two in pairwise(old)}
    in_force.update({column.source: (header.meter, header.key) for column in old[:1]})
    for run in _runs(columns, meter, key):
        for at, part in enumerate(_parts(run, groups, anew)):
            first = part[0]
            source = None
            if first.source is not None and tuple(one.source for one in part) == tuple(
                (first.source[0], place) for place in range(groups[first.source[0]].bar_count)
            ):
                source = groups[first.source[0]] if first.source[0] not in anew else None
            changes = at == 0
            yield _Plan(
                tuple(part),
                first.meter if changes and first.meter != meter else None,
                first.key if changes and first.key != key else None,
                source,
                first.source in in_force and in_force[first.source][0] == first.meter,
                first.source in in_force and in_force[first.source][1] == first.key,
            )
        meter, key = run[-1].meter, run[-1].last_key


def _runs(columns: Sequence[Column], meter: Meter, key: Key) -> Iterator[list[Column]]:
    """Split the song where a group must begin: at labels and where meter or key change at a bar line."""
    run: list[Column] = []
    for column in columns:
        if run and (column.labels or column.meter != meter or column.key != key):
            yield run
            run = []
        run.append(column)
        meter, key = column.meter, column.last_key
    yield run


def _parts(run: Sequence[Column], groups: Sequence[Group], anew: frozenset[int]) -> Iterator[Sequence[Column]]:
    """Split a run into groups: as they were where they are whole and in their order, else by fours."""
    parts: list[list[Column]] = []
    for column in run:
        if column.source is not None and column.source[1] > 0 and parts:
            parts[-1].append(column)
        else:
            parts.append([column])
    whole = all(
        part[0].source is not None
        and part[0].source[0] not in anew
        and [one.source for one in part]
        == [(part[0].source[0], place) for place in range(groups[part[0].source[0]].bar_count)]
        for part in parts
    )
    full = all(len(part) == MAX_BARS_PER_LINE for part in parts[:-1]) or _follow(parts, groups)
    if whole and full:
        yield from parts
        return
    for at in range(0, len(run), MAX_BARS_PER_LINE):
        yield run[at : at + MAX_BARS_PER_LINE]


def _follow(parts: Sequence[Sequence[Column]], groups: Sequence[Group]) -> bool:
    """Whether the groups stand one after another as they stood in the old song, where nothing else divided them."""
    numbers = [part[0].source[0] for part in parts if part[0].source is not None]
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(parts))):
        return False
    later = [groups[number] for number in numbers[1:]]
    return not any(group.labels or group.vocal.meter_change or group.vocal.key_change for group in later)


def _refuse_loss(parsed: Parsed, plan: _Plan, anew: frozenset[int]) -> None:
    for index in sorted({column.source[0] for column in plan.columns if column.source is not None}):
        loss = first_loss(parsed, parsed.score.groups[index], mending=index in anew)
        if loss is not None:
            raise refused(f"Line {loss.line}: {loss.sentence} Repair this first.", line=loss.line, column=loss.column)


def _text(plan: _Plan) -> str:
    parts = [f"% {label}" for label in plan.columns[0].labels]
    for voice in (Voice.VOCAL, Voice.INS):
        bars = []
        for column in plan.columns:
            bar = column.bar(voice)
            if bar is None:
                raise refused(f"{voice} lacks a bar here; repair the group first.", group=column.source)
            bars.append(bar)
        parts.append(voice_text(voice, plan.meter, plan.key, write_bars(_with_runs(bars))))
    return "\n".join(parts) + "\n"


def _is_unchanged(plan: _Plan, source: Group, before: Sequence[Column]) -> bool:
    if plan.columns[0].labels != tuple(label.text for label in source.labels):
        return False
    for line in (source.vocal, source.ins):
        if plan.meter != line.meter_change and not (plan.meter is None and plan.idle_meter):
            return False
        if plan.key != line.key_change and not (plan.key is None and plan.idle_key):
            return False
    old = {column.source: column for column in before}
    return all(
        column.vocal is old[column.source].vocal and column.ins is old[column.source].ins for column in plan.columns
    )


def _with_runs(bars: Sequence[Bar]) -> list[Bar]:
    """Return a line's bars with silent ones as `Z`, and those side by side as one run."""
    line = [canonical(bar) for bar in bars]
    at = 0
    while at < len(line):
        end = at
        while end < len(line) and line[end].is_full_rest:
            end += 1
        for place in range(at, end):
            line[place] = replace(line[place], rest_run=end - at, rest_piece=place - at)
        at = max(end, at + 1)
    return line
