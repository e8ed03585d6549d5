"""A group while it is read, and its bars' places in time once both voices are known."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from yue2_desktop.score.elements import Bar, Meter, Span, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Group, Label, VoiceLine
from yue2_desktop.score.reading.drafts import Draft


@dataclass(slots=True)
class Part:
    """One voice's part of a group while it is read; line numbers are 0 for what the text lacks."""

    voice: Voice
    drafts: list[Draft] = field(default_factory=list)
    meter_change: Meter | None = None
    key_change: Key | None = None
    meter_span: Span | None = None
    key_span: Span | None = None
    voice_line: int = 0
    voice_end: int = 0
    music_line: int = 0
    music_end: int = 0
    meter_redundant: bool = False
    key_redundant: bool = False


@dataclass(slots=True)
class OpenGroup:
    """A group of which some lines have been read."""

    labels: list[Label] = field(default_factory=list)
    vocal: Part = field(default_factory=lambda: Part(Voice.VOCAL))
    ins: Part = field(default_factory=lambda: Part(Voice.INS))
    first_line: int = 0
    last_line: int = 0

    def part(self, voice: Voice) -> Part:
        """Return one voice's part."""
        return self.vocal if voice is Voice.VOCAL else self.ins


def closed_group(group: OpenGroup, index: int, first_bar: int, start: Fraction) -> tuple[Group, Fraction]:
    """Return the group with its bars placed from `start` (quarters), and the time at which it ends.

    A bar's slot is the longest of its meter and its contents in both voices, so that the voices stay together.
    """
    slots = []
    for at in range(max(len(group.vocal.drafts), len(group.ins.drafts))):
        drafts = [part.drafts[at] for part in (group.vocal, group.ins) if at < len(part.drafts)]
        slots.append(max(max(draft.meter.quarters, draft.length) for draft in drafts))
    starts = [start]
    for slot in slots:
        starts.append(starts[-1] + slot)
    lines = [_voice_line(part, index, first_bar, starts, slots) for part in (group.vocal, group.ins)]
    closed = Group(index, tuple(group.labels), lines[0], lines[1], group.first_line, group.last_line)
    return closed, starts[-1]


def _voice_line(part: Part, group: int, first_bar: int, starts: list[Fraction], slots: list[Fraction]) -> VoiceLine:
    bars = tuple(
        Bar(
            part.voice,
            first_bar + at,
            group,
            starts[at],
            slots[at],
            draft.meter,
            draft.key,
            tuple(draft.events),
            tuple(draft.tuplets),
            draft.length,
            draft.rest_run,
            draft.rest_piece,
            draft.closed,
            Span(draft.line, draft.column, draft.end),
        )
        for at, draft in enumerate(part.drafts)
    )
    return VoiceLine(
        part.voice,
        part.meter_change,
        part.key_change,
        bars,
        part.meter_span,
        part.key_span,
        part.voice_line,
        part.music_line,
    )
