"""Accidentals and ties after an edit: which marks a bar must write, and which ties still join two equal pitches."""

from __future__ import annotations

from dataclasses import replace

from yue2_desktop.score.elements import Bar, Event, KeyChange, Note, Rest
from yue2_desktop.score.pitch import NOTE_MARKS


class Marks:
    """The accidentals in force while a bar is written: the key's, and those that stand for a letter in all octaves."""

    def __init__(self, alters: dict[str, int], before: Note | None) -> None:
        self._alters = alters
        self._memory: dict[str, int] = {}
        self._held = before

    def key(self, alters: dict[str, int]) -> None:
        """A change of key inside the bar: nothing of before holds on."""
        self._alters = alters
        self._memory = {}

    def rest(self) -> None:
        """A rest: nothing is held any more."""
        self._held = None

    def marked(self, note: Note) -> Note:
        """Return the note with the mark that it needs; a mark that it has is kept, needed or not."""
        held = self._held
        continues = held is not None and held.pitch == note.pitch
        if held is not None and held.letter == note.letter and held.octave == note.octave:
            expected = held.alter
        else:
            expected = self._memory.get(note.letter, self._alters[note.letter])
        mark = NOTE_MARKS[note.alter] if note.mark or expected != note.alter else ""
        if mark:
            self._memory[note.letter] = note.alter
        if mark != note.mark or continues != note.tied:
            note = replace(note, mark=mark, tied=continues)
        self._held = note if note.tie else None
        return note


def outgoing(bar: Bar | None) -> Note | None:
    """Return the note that a bar ties into the next one, or None."""
    if bar is None:
        return None
    last = next((event for event in reversed(bar.events) if not isinstance(event, KeyChange)), None)
    return last if isinstance(last, Note) and last.tie else None


def incoming(bar: Bar | None) -> Note | None:
    """Return the note with which a bar begins, or None where it begins with a rest."""
    if bar is None:
        return None
    first = next((event for event in bar.events if not isinstance(event, KeyChange)), None)
    return first if isinstance(first, Note) else None


def without_tie_out(bar: Bar) -> Bar:
    """Return the bar with its last note no longer tied into the next bar."""
    events = list(bar.events)
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, Note):
            events[at] = replace(event, tie=False)
        if not isinstance(event, KeyChange):
            break
    return replace(bar, events=tuple(events))


def relinked(bar: Bar, before: Note | None) -> Bar:
    """Return the bar with ties that lead nowhere inside it removed, and with the marks that it needs.

    `before` is the note that the bar before ties into this one, or None.
    """
    marks = Marks(bar.key.alters, before)
    events: list[Event] = []
    for at, event in enumerate(bar.events):
        if isinstance(event, KeyChange):
            marks.key(event.key.alters)
            events.append(event)
        elif isinstance(event, Rest):
            marks.rest()
            events.append(event)
        else:
            after = next((one for one in bar.events[at + 1 :] if not isinstance(one, KeyChange)), None)
            if event.tie and after is not None and not (isinstance(after, Note) and after.pitch == event.pitch):
                event = replace(event, tie=False)
            events.append(marks.marked(event))
    if tuple(events) == bar.events:
        return bar
    return replace(bar, events=tuple(events))
