"""Tells an unfinished score, one that stops inside its header or inside a group, from one that is merely wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import Span, Voice
from yue2_desktop.score.model import Header
from yue2_desktop.score.reading.bodyreader import BodyReader, Phase
from yue2_desktop.score.reading.header import ORDER
from yue2_desktop.score.rules import Code

#: What follows from stopping early and need not be said as well, for the whole of the last group.
_OF_THE_GROUP = frozenset({Code.INS_MISSING, Code.MUSIC_MISSING, Code.BAR_COUNT})
#: At the place where the text stops, everything else follows from that.
_AT_THE_END = frozenset(Code) - {Code.FENCE, Code.BOM, Code.LINE_ENDING, Code.TOO_MANY_NOTES}
_OF_THE_HEADER = frozenset({Code.HEADER_MISSING, Code.FINAL_NEWLINE})


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Where a text stops: the place, what it is in, and the first line of the group that is not whole (0: header)."""

    span: Span
    sentence: str
    group_line: int
    inside_bar: bool

    def report(self, findings: Findings) -> None:
        """Say it in one sentence, and drop what only follows from it."""
        findings.drop(_OF_THE_GROUP, self.group_line, 1)
        if self.group_line == 0:
            findings.drop(_OF_THE_HEADER, 0, 0)
        if self.inside_bar:
            findings.drop(_AT_THE_END, self.span.line, self.span.column)
        findings.drop(frozenset({Code.FINAL_NEWLINE, Code.TIE_END}), max(self.group_line, 1), 1)
        findings.add(Code.UNFINISHED, self.span.line, self.span.column, self.span.end, self.sentence)


def find_unfinished(body: BodyReader, header: Header, lines: Sequence[str], final_newline: bool) -> Unfinished | None:
    """Return where the text stops short, or None; the body's last group must still be open."""
    last = max((number for number, line in enumerate(lines, 1) if line), default=1)
    whole_line = Span(last, 1, len(lines[last - 1]) + 1 if lines else 1)
    group = body.open
    if not body.groups and body.phase is Phase.BEFORE and not group.labels:
        return _in_header(header, whole_line, final_newline)
    vocal, ins = group.vocal, group.ins
    first = group.first_line
    if body.phase is Phase.BEFORE:
        if not group.labels:
            return None
        return Unfinished(whole_line, "The score stops after a section label.", first, not final_newline)
    if body.phase in {Phase.VOCAL, Phase.INS}:
        voice = Voice.VOCAL if body.phase is Phase.VOCAL else Voice.INS
        sentence = f"The score stops before the music of {voice}; the group from line {first} is not complete."
        return Unfinished(whole_line, sentence, first, not final_newline)
    part = vocal if body.phase is Phase.VOCAL_DONE else ins
    draft = part.drafts[-1] if part.drafts else None
    if draft is not None and not draft.closed and (not final_newline or draft.length < draft.meter.quarters):
        number = sum(one.bar_count for one in body.groups) + len(part.drafts)
        sentence = f"The score stops inside bar {number} of {part.voice}; the group from line {first} is not complete."
        return Unfinished(Span(draft.line, draft.column, draft.end), sentence, first, True)
    if body.phase is Phase.VOCAL_DONE:
        if not final_newline or (body.groups and all(one.ins.bars for one in body.groups)):
            sentence = f"The score stops before the Ins line; the group from line {first} is not complete."
            return Unfinished(whole_line, sentence, first, False)
        return None
    if not final_newline and len(ins.drafts) < len(vocal.drafts):
        missing = len(vocal.drafts) - len(ins.drafts)
        sentence = f"The score stops {missing} bar{'s' if missing > 1 else ''} before the end of the Ins line."
        return Unfinished(whole_line, sentence, first, False)
    return None


def _in_header(header: Header, place: Span, final_newline: bool) -> Unfinished | None:
    present = [name for name in ORDER if header.span_of(name)]
    if tuple(present) != ORDER[: len(present)]:
        return None
    if len(present) == len(ORDER):
        return None if final_newline else Unfinished(place, "The score stops after its header.", 0, True)
    return Unfinished(place, "The score stops inside its header.", 0, not final_newline)
