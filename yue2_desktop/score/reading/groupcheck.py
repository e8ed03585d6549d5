"""Checks of a whole group: its labels, its lines, its fields, and the two voices against each other."""

from __future__ import annotations

import re

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import MAX_BARS_PER_LINE, KeyChange, Rest, Voice
from yue2_desktop.score.model import Group
from yue2_desktop.score.reading.drafts import Draft
from yue2_desktop.score.reading.grouping import OpenGroup, Part
from yue2_desktop.score.rules import Code

_LABEL = re.compile(r"% \S(?:.*\S)?\Z")
#: Section names that the model writes and reads, alone or with a number.
_USUAL = re.compile(
    r"(?:intro|verse|chorus|pre-?chorus|post-?chorus|bridge|interlude|outro|hook|refrain|solo|instrumental|inst|break"
    r"|breakdown|build-?up|drop|rap|ending|coda|prelude|theme)(?:[ -]?(?:\d{1,2}|[A-D]))?\Z",
    re.IGNORECASE,
)


def check_label(line: str, number: int, findings: Findings) -> str:
    """Check a label line and return the label's text."""
    text = line.lstrip("%").strip()
    end = len(line) + 1
    if not _LABEL.match(line):
        findings.add(Code.LABEL_FORM, number, 1, end, "A label is written as a percent sign, one space and a name.")
    if text and not _USUAL.match(text):
        findings.add(Code.LABEL_UNUSUAL, number, 1, end, f"The model does not know sections named '{text[:32]}'.")
    return text


def check_music(part: Part, findings: Findings) -> None:
    """Check one voice's bars as a line: their number, silent bars, fields that change nothing."""
    for span, redundant, name in (
        (part.meter_span, part.meter_redundant, "meter"),
        (part.key_span, part.key_redundant, "key"),
    ):
        if span is not None and redundant:
            sentence = f"This line does not change the {name}; it is in force already."
            findings.add(Code.FIELD_REDUNDANT, span.line, span.column, span.end, sentence)
    drafts = part.drafts
    if len(drafts) > MAX_BARS_PER_LINE:
        fifth = drafts[MAX_BARS_PER_LINE]
        sentence = f"{part.voice} has {len(drafts)} bars in this line; four are the most."
        findings.add(Code.BARS_PER_LINE, fifth.line, fifth.column, part.music_end, sentence)
    for at, draft in enumerate(drafts):
        if _is_silent(draft):
            findings.add(Code.SILENCE, draft.line, draft.column, draft.end, "A silent bar is written Z.")
        elif draft.rest_run and draft.rest_piece == 0 and at and drafts[at - 1].rest_run:
            sentence = "Silent bars side by side are written as one Z with their number."
            findings.add(Code.SILENCE, draft.line, draft.column, draft.end, sentence)


def _is_silent(draft: Draft) -> bool:
    return (
        bool(draft.events)
        and draft.length == draft.meter.quarters
        and all(isinstance(event, Rest) and event.chord is None for event in draft.events)
    )


def check_group(group: OpenGroup, before: Group | None, findings: Findings) -> None:
    """Check what the two voices of a group must have in common; `before` is the group before it."""
    vocal, ins = group.vocal, group.ins
    last = max(group.last_line, 1)
    if vocal.voice_line and not vocal.music_line and not ins.voice_line:
        findings.add(Code.MUSIC_MISSING, vocal.voice_line, 1, vocal.voice_end, "V: Vocal has no music line.")
    if ins.voice_line and not ins.music_line:
        findings.add(Code.MUSIC_MISSING, ins.voice_line, 1, ins.voice_end, "V: Ins has no music line.")
    if vocal.music_line and not ins.voice_line and not ins.music_line:
        sentence = "This group has no V: Ins line; it would be silence (Z)."
        findings.add(Code.INS_MISSING, vocal.music_line, 1, vocal.music_end, sentence)
    if not (vocal.music_line or ins.music_line) and group.labels and not (vocal.voice_line or ins.voice_line):
        findings.add(Code.MUSIC_MISSING, last, 1, 2, "No music follows this label.")
    if vocal.music_line and ins.music_line:
        if len(vocal.drafts) != len(ins.drafts):
            sentence = f"Vocal has {len(vocal.drafts)} bars in this group, Ins has {len(ins.drafts)}."
            findings.add(Code.BAR_COUNT, ins.music_line, 1, ins.music_end, sentence)
        _compare_fields(vocal, ins, findings)
        _compare_inline_keys(vocal, ins, findings)
    changes = (vocal.meter_span, vocal.key_span, ins.meter_span, ins.key_span)
    if before is not None and not group.labels and not any(changes) and before.bar_count < MAX_BARS_PER_LINE:
        line = vocal.voice_line or group.first_line
        sentence = f"The group before has {before.bar_count} of four bars, and nothing here begins a new one."
        findings.add(Code.GROUP_SHORT, line, 1, vocal.voice_end or 2, sentence)


def _compare_fields(vocal: Part, ins: Part, findings: Findings) -> None:
    for code, name, ours, theirs, our_span, their_span in (
        (Code.METER_DIFFERS, "meter", vocal.meter_change, ins.meter_change, vocal.meter_span, ins.meter_span),
        (Code.KEY_DIFFERS, "key", vocal.key_change, ins.key_change, vocal.key_span, ins.key_span),
    ):
        if ours == theirs and (our_span is None) == (their_span is None):
            continue
        shown = [getattr(value, "text", None) or getattr(value, "name", "none") for value in (ours, theirs)]
        if their_span is not None:
            sentence = f"Ins changes the {name} to {shown[1]}, Vocal " + (
                f"to {shown[0]}." if our_span is not None else "does not change it here."
            )
            findings.add(code, their_span.line, their_span.column, their_span.end, sentence)
        else:
            line, end = (ins.voice_line, ins.voice_end) if ins.voice_line else (ins.music_line, ins.music_end)
            sentence = f"Vocal changes the {name} to {shown[0]} in this group, Ins does not."
            findings.add(code, line, 1, end, sentence)


def _inline_keys(part: Part) -> dict[tuple[int, object], KeyChange]:
    return {
        (at, event.offset): event
        for at, draft in enumerate(part.drafts)
        for event in draft.events
        if isinstance(event, KeyChange)
    }


def _compare_inline_keys(vocal: Part, ins: Part, findings: Findings) -> None:
    ours, theirs = _inline_keys(vocal), _inline_keys(ins)
    for own, other, name in ((ours, theirs, Voice.INS), (theirs, ours, Voice.VOCAL)):
        for place, change in own.items():
            twin = other.get(place)
            if twin is not None and twin.key == change.key:
                continue
            if twin is not None and name is Voice.INS:
                continue
            sentence = f"{name} does not change the key to {change.key.name} at this beat."
            if twin is not None:
                sentence = f"Ins changes the key to {change.key.name} at this beat, Vocal to {twin.key.name}."
            findings.add(Code.KEY_DIFFERS, change.span.line, change.span.column, change.span.end, sentence)
