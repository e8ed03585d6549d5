"""A `K:` line changed by hand: it does not move the notes, so the letters sound otherwise; the cure is to transpose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.elements import Bar, Event, KeyChange, Note, Rest, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Score
from yue2_desktop.score.parser import Parsed
from yue2_desktop.score.writer import write_event
from yue2_desktop.song.errors import Problem


@dataclass(frozen=True, slots=True)
class KeyChangedByHand:
    """The warning about a key that was changed while the notes were not, and the edit that was probably meant.

    `edit` is for the text before the change; None where the song cannot be transposed so.
    """

    line: int
    sentence: str
    edit: Edit | None


def key_changed_by_hand(before: Parsed, after: Parsed) -> KeyChangedByHand | None:
    """Return the warning when two texts differ in nothing but keys (user-reports.md, row 91), else None."""
    if _without_keys(before.score) != _without_keys(after.score):
        return None
    old, new = _all_keys(before.score), _all_keys(after.score)
    change = next((pair for pair in zip(old, new, strict=False) if pair[0][0] != pair[1][0]), None)
    if change is None:
        return None
    (was, _), (now, line) = change
    moved = _other_sounds(before.score, after.score)
    if not moved:
        return None
    semitones = (now.tonic.pitch_class - was.tonic.pitch_class + 5) % 12 - 5
    sentence = (
        f"The key was changed from {was.name} to {now.name}, but the notes were not moved: {moved} of them sound "
        "otherwise now. To move the song, transpose it."
    )
    return KeyChangedByHand(line, sentence, _meant(before, was, now, semitones, old[0][0] == was))


def _meant(before: Parsed, was: Key, now: Key, semitones: int, whole: bool) -> Edit | None:
    if was.minor != now.minor or not whole or semitones == 0:
        return None
    try:
        return transpose(before, semitones)
    except Problem:
        # The song cannot be moved by so much; the warning stands without an offer.
        return None


def _all_keys(score: Score) -> list[tuple[Key, int]]:
    """Return every key that the text names, in the order of Vocal then Ins, with its line."""
    span = score.header.span_of("K")
    named = [(score.header.key, span.line if span else 1)]
    for voice in (Voice.VOCAL, Voice.INS):
        for group in score.groups:
            line = group.line_of(voice)
            if line.key_change is not None:
                named.append((line.key_change, line.key_span.line if line.key_span else group.first_line))
            for bar in line.bars:
                named.extend((event.key, event.span.line) for event in bar.events if isinstance(event, KeyChange))
    return named


def _without_keys(score: Score) -> list[str]:
    """Return what is written, note by note, with the keys left out."""
    return [_written(event) for bar in (*score.vocal_bars, *score.ins_bars) for event in _events(bar)]


def _events(bar: Bar) -> list[Note | Rest]:
    return [event for event in bar.events if not isinstance(event, KeyChange)]


def _written(event: Event) -> str:
    return write_event(event if not isinstance(event, Note) else replace(event, tuplet=None))


def _other_sounds(before: Score, after: Score) -> int:
    def pitches(score: Score) -> list[int]:
        return [note.pitch for bar in (*score.vocal_bars, *score.ins_bars) for note in bar.notes]

    return sum(one != other for one, other in zip(pitches(before), pitches(after), strict=False))
