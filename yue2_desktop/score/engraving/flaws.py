"""Bars with errors or warnings, as data for whoever draws or lists them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.elements import Voice
from yue2_desktop.score.model import Group, Score
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.rules import Code
from yue2_desktop.score.timeline import bar_at

#: What these say of a group is seen where bars are lacking.
_LACKING = frozenset({Code.BAR_COUNT, Code.INS_MISSING, Code.VOCAL_MISSING, Code.MUSIC_MISSING, Code.UNFINISHED})


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with one bar: its voice (None for both), its index, and the diagnostics by place."""

    voice: Voice | None
    bar: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_error(self) -> bool:
        """Whether one of them is an error rather than a warning."""
        return any(one.is_error for one in self.diagnostics)


def flaws(parsed: Parsed) -> tuple[Flaw, ...]:
    """Return the flawed bars in order. What lies outside bars belongs to the next bar, the header's to none."""
    found: dict[tuple[int, Voice | None], list[Diagnostic]] = {}
    for one in parsed.diagnostics:
        for place in _places(parsed, one):
            found.setdefault(place, []).append(one)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], item[0][1] is not Voice.VOCAL))
    return tuple(Flaw(voice, bar, tuple(diagnostics)) for (bar, voice), diagnostics in ordered)


def _places(parsed: Parsed, diagnostic: Diagnostic) -> list[tuple[int, Voice | None]]:
    if diagnostic.code in _LACKING:
        lacking = _lacking_bars(parsed.score, diagnostic.line)
        if lacking:
            return lacking
    bar = bar_at(parsed.score, diagnostic.line, diagnostic.column)
    if bar is not None:
        return [(bar.index, bar.voice)]
    for group, first in _groups(parsed.score):
        if group.first_line <= diagnostic.line <= group.last_line and group.bar_count:
            for line in (group.vocal, group.ins):
                if line.bars and diagnostic.line == line.music_line:
                    return [(line.bars[-1].index, line.voice)]
            return [(first, None)]
    return []


def _lacking_bars(score: Score, line: int) -> list[tuple[int, Voice | None]]:
    """Return the bars that one voice of the group at a line lacks."""
    for group, first in _groups(score):
        if group.first_line <= line <= group.last_line:
            return [
                (first + at, one.voice)
                for one in (group.vocal, group.ins)
                for at in range(len(one.bars), group.bar_count)
            ]
    return []


def _groups(score: Score) -> Iterator[tuple[Group, int]]:
    """Go through the groups with the index of the first bar of each."""
    first = 0
    for group in score.groups:
        yield group, first
        first += group.bar_count
