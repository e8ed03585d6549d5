"""Bars while they are read: what has been understood so far, the limits, and the check of a closed bar."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from yue2_desktop.score.diagnostics import Findings
from yue2_desktop.score.elements import Event, Meter, Tuplet, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.rules import Code

MAX_NOTES = 4096
MAX_BAR_TOKENS = 256
#: Of one music line so many bars are read; four are allowed.
MAX_LINE_BARS = 256


@dataclass(slots=True)
class Draft:
    """A bar while it is read; `position` is in units of `L:`, columns count from 1."""

    meter: Meter
    key: Key
    column: int
    end: int = 0
    events: list[Event] = field(default_factory=list)
    tuplets: list[Tuplet] = field(default_factory=list)
    position: int | Fraction = 0
    length: Fraction = Fraction(0)
    rest_run: int = 0
    rest_piece: int = 0
    closed: bool = True
    line: int = 0
    tokens: int = 0
    unread: bool = False


@dataclass(slots=True)
class Budget:
    """How many notes the score may still have; shared by the two voices."""

    notes: int = MAX_NOTES
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A note that is tied into whatever comes next."""

    letter: str
    octave: int
    alter: int
    pitch: int
    line: int
    column: int
    end: int


def finished(draft: Draft, voice: Voice, number: int, findings: Findings) -> list[Draft]:
    """Check a bar that has been closed (`number` counts from 1) and return it; a run of `Zn` gives n bars."""
    if draft.rest_run:
        return [
            Draft(
                draft.meter,
                draft.key,
                draft.column,
                draft.end,
                length=draft.meter.quarters,
                rest_run=draft.rest_run,
                rest_piece=piece,
                closed=draft.closed,
                line=draft.line,
            )
            for piece in range(draft.rest_run)
        ]
    name = f"Bar {number} of {voice}"
    if draft.tokens > MAX_BAR_TOKENS:
        sentence = f"{name} has {draft.tokens} tokens; the first {MAX_BAR_TOKENS} were read."
        findings.add(Code.BAR_TOKENS, draft.line, draft.column, draft.end, sentence)
    elif not draft.events and not draft.unread:
        findings.add(Code.BAR_EMPTY, draft.line, draft.column, draft.end, f"{name} is empty.")
    elif draft.length != draft.meter.quarters and not draft.unread:
        needed = draft.meter.quarters
        sentence = f"{name} lasts {draft.length} quarter notes; the meter {draft.meter.text} needs {needed}."
        findings.add(Code.BAR_LENGTH, draft.line, draft.column, draft.end, sentence)
    return [draft]
