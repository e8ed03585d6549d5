"""Bars with errors or warnings, as data for whoever draws or lists them."""

from __future__ import annotations

from dataclasses import dataclass

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.timeline import bar_at


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
        place = _place(parsed, one)
        if place is not None:
            found.setdefault(place, []).append(one)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], item[0][1] is not Voice.VOCAL))
    return tuple(Flaw(voice, bar, tuple(diagnostics)) for (bar, voice), diagnostics in ordered)


def _place(parsed: Parsed, diagnostic: Diagnostic) -> tuple[int, Voice | None] | None:
    score = parsed.score
    bar = bar_at(score, diagnostic.line, diagnostic.column)
    if bar is not None:
        return bar.index, bar.voice
    first = 0
    for group in score.groups:
        if group.first_line <= diagnostic.line <= group.last_line:
            if not group.bar_count:
                return None
            for voice in VOICES:
                line = group.line_of(voice)
                if line.bars and diagnostic.line == line.music_line:
                    return line.bars[-1].index, voice
            return first, None
        first += group.bar_count
    return None
