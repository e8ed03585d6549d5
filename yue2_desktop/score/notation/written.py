"""The bars of a voice as they stand on a staff: values, signs and ties of every note, rests, keys in the bar."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from yue2_desktop.score.elements import Bar, KeyChange, Meter, Note, Rest, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Score
from yue2_desktop.score.notation.accidentals import Accidentals
from yue2_desktop.score.notation.values import Value, values_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A note head with its value, a rest, or a key signature inside the bar.

    A note whose length is no single value has several marks, `piece` counting from 0. `offset` and `length` are
    sounding quarters from the bar's start. `sign` is the alteration to be written, None for none. `tied_on` says that
    a tie leads to the voice's next note mark. `tuplet` is an index into the bar's tuplets. `value` is None for a key.
    """

    event: Note | Rest | KeyChange
    value: Value | None
    piece: int
    offset: Fraction
    length: Fraction
    sign: int | None
    tied_on: bool
    tied_back: bool
    tuplet: int | None


@dataclass(frozen=True, slots=True)
class WrittenBar:
    """One bar of one staff.

    `whole_rest` says that it is one rest that fills the bar, with or without a token of its own; `marks` then has
    that token's mark at most. `meter` and `key` are set where they are to be written at the bar's start.
    """

    bar: Bar
    marks: tuple[Mark, ...]
    whole_rest: bool
    meter: Meter | None
    key: Key | None


def written_voice(score: Score, voice: Voice, most: int | None = None) -> dict[int, WrittenBar]:
    """Return the bars of one voice by their index; `most` stops before the bar of that index.

    Meter and key of the song's start are those of the header, which the caller writes.
    """
    bars = [bar for bar in score.bars(voice) if most is None or bar.index < most]
    holding = _holding(bars)
    accidentals = Accidentals(score.header.key.alters)
    meter, key = score.header.meter, score.header.key
    written: dict[int, WrittenBar] = {}
    for bar in bars:
        new_meter = bar.meter if bar.meter != meter else None
        new_key = bar.key if bar.key != key else None
        meter, key = bar.meter, bar.key
        if new_key is None:
            accidentals.new_bar()
        else:
            accidentals.new_key(new_key.alters)
        marks = tuple(_marks(bar, accidentals, holding))
        for event in bar.events:
            if isinstance(event, KeyChange):
                key = event.key
        written[bar.index] = WrittenBar(bar, marks, _is_whole_rest(bar), new_meter, new_key)
    return written


def _holding(bars: Sequence[Bar]) -> frozenset[tuple[int, int]]:
    """Return the places (bar index, event index) of the notes that a tie joins to the voice's next note."""
    found = set()
    before: tuple[int, int] | None = None
    for bar in bars:
        for at, event in enumerate(bar.events):
            if isinstance(event, Note):
                if before is not None and event.tied:
                    found.add(before)
                before = (bar.index, at) if event.tie else None
            elif isinstance(event, Rest):
                before = None
    return frozenset(found)


def _is_whole_rest(bar: Bar) -> bool:
    if bar.is_full_rest:
        return True
    only = bar.events[0] if len(bar.events) == 1 else None
    return isinstance(only, Rest) and only.tuplet is None and only.length == bar.meter.quarters


def _marks(bar: Bar, accidentals: Accidentals, holding: frozenset[tuple[int, int]]) -> Iterable[Mark]:
    waiting: list[Mark] = []  # keys that the text has inside a tuplet are drawn behind it
    for at, event in enumerate(bar.events):
        if isinstance(event, KeyChange):
            mark = Mark(event, None, 0, event.offset, Fraction(0), None, tied_on=False, tied_back=False, tuplet=None)
            if _inside_tuplet(bar, at):
                waiting.append(mark)
            else:
                accidentals.new_key(event.key.alters)
                yield mark
            continue
        if event.tuplet is None or event.tuplet != _tuplet_before(bar, at):
            yield from _drawn(waiting, accidentals)
        yield from _pieces(bar, event, accidentals, (bar.index, at) in holding)
    yield from _drawn(waiting, accidentals)


def _drawn(waiting: list[Mark], accidentals: Accidentals) -> Iterable[Mark]:
    for mark in waiting:
        assert isinstance(mark.event, KeyChange)
        accidentals.new_key(mark.event.key.alters)
        yield mark
    waiting.clear()


def _pieces(bar: Bar, event: Note | Rest, accidentals: Accidentals, holds: bool) -> Iterable[Mark]:
    ratio = None
    if event.tuplet is not None:
        tuplet = bar.tuplets[event.tuplet]
        ratio = Fraction(tuplet.q, tuplet.p)
    values = values_of(event.length if ratio is None else event.length / ratio)
    offset = event.offset
    for piece, value in enumerate(values):
        last = piece == len(values) - 1
        length = value.quarters if ratio is None else value.quarters * ratio
        if isinstance(event, Note):
            back = event.tied if piece == 0 else True
            sign = accidentals.sign(event, tied=back)
            yield Mark(event, value, piece, offset, length, sign, holds or not last, back, event.tuplet)
        else:
            yield Mark(event, value, piece, offset, length, None, tied_on=False, tied_back=False, tuplet=event.tuplet)
        if not last:
            offset += length


def _tuplet_before(bar: Bar, at: int) -> int | None:
    for event in reversed(bar.events[:at]):
        if not isinstance(event, KeyChange):
            return event.tuplet
    return None


def _inside_tuplet(bar: Bar, at: int) -> bool:
    before = _tuplet_before(bar, at)
    if before is None:
        return False
    after = next((event for event in bar.events[at + 1 :] if not isinstance(event, KeyChange)), None)
    return after is not None and after.tuplet == before


def ties_in(written: Mapping[int, WrittenBar]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return where each tie leads: from (bar index, mark index) to (bar index, mark index) of the next note mark."""
    ties: dict[tuple[int, int], tuple[int, int]] = {}
    before: tuple[int, int] | None = None
    for index, bar in written.items():
        for at, mark in enumerate(bar.marks):
            if not isinstance(mark.event, Note):
                continue
            if before is not None:
                ties[before] = (index, at)
            before = (index, at) if mark.tied_on else None
    return ties
