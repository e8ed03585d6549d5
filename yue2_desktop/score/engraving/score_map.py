"""Text, time and elements: which element is written where, and what sounds when. Needs no engraver."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from yue2_desktop.score.elements import VOICES, Bar, KeyChange, Note, Span, Voice
from yue2_desktop.score.engraving.ids import NOWHERE, ElementId, Kind, read_id
from yue2_desktop.score.model import Score

#: Which kind is meant where several cover one place of the text: the most particular first.
_ORDER = {kind: at for at, kind in enumerate((Kind.NOTE, Kind.REST, Kind.CHORD, Kind.KEY, Kind.TUPLET, Kind.METER,
                                             Kind.TEMPO, Kind.LABEL, Kind.BAR))}  # fmt: skip
_TIMED = frozenset({Kind.NOTE, Kind.REST})


@dataclass(frozen=True, slots=True)
class ScoreElement:
    """One element: its id (of the first piece), what the id says, and its time and length in quarters.

    The element of a bar spans the whole bar; a chord's length is that of the note or rest under it.
    """

    identity: ElementId
    onset: Fraction
    duration: Fraction

    @property
    def name(self) -> str:
        """The id as text."""
        return self.identity.text

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.identity.kind

    @property
    def voice(self) -> Voice | None:
        """Its voice, None for what belongs to both."""
        return self.identity.voice

    @property
    def bar(self) -> int:
        """The index of its bar."""
        return self.identity.bar

    @property
    def span(self) -> Span:
        """Its place in the text."""
        return self.identity.span


class ScoreMap:
    """All elements of a score, found by id, by a place in the text, and by time."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.elements = tuple(_elements(score))
        self._by_key = {_key(one.identity): one for one in self.elements}

    def by_id(self, name: str) -> ScoreElement | None:
        """Return the element with an id, whichever piece the id names; None for an id of no element.

        A signature at the start of a line of music stands for the one in force there.
        """
        identity = read_id(name)
        if identity is None:
            return None
        if identity.span == NOWHERE and identity.kind in {Kind.KEY, Kind.METER}:
            return self._in_force(identity)
        return self._by_key.get(_key(identity))

    def at_text(self, line: int, column: int) -> tuple[ScoreElement, ...]:
        """Return the elements written at a place (line and column from 1), the most particular first.

        Several bars come from one `Z4`; a bar's closing line belongs to the bar.
        """
        found = [one for one in self._on_line.get(line, ()) if _covers(one, column)]
        return tuple(sorted(found, key=lambda one: (_ORDER[one.kind], one.bar)))

    def at_time(self, quarters: Fraction | float) -> tuple[ScoreElement, ...]:
        """Return the note or rest of each voice at a time in quarters from the start, fewer where a voice lacks one."""
        found = []
        for starts, timed in self._timed.values():
            at = bisect_right(starts, quarters) - 1
            if at >= 0 and quarters < timed[at].onset + timed[at].duration:
                found.append(timed[at])
        return tuple(found)

    def bar_at(self, quarters: Fraction | float) -> int | None:
        """Return the index of the bar at a time, None outside the song."""
        starts, bars = self._bars
        at = bisect_right(starts, quarters) - 1
        if at < 0 or quarters >= bars[at].start + bars[at].slot:
            return None
        return bars[at].index

    def in_bar(self, index: int) -> tuple[ScoreElement, ...]:
        """Return the elements of both voices in a bar, by its index."""
        return tuple(self._in_bar.get(index, ()))

    @cached_property
    def _in_bar(self) -> dict[int, list[ScoreElement]]:
        bars: dict[int, list[ScoreElement]] = {}
        for one in self.elements:
            bars.setdefault(one.bar, []).append(one)
        return bars

    @cached_property
    def _on_line(self) -> dict[int, list[ScoreElement]]:
        lines: dict[int, list[ScoreElement]] = {}
        for one in self.elements:
            if one.span != NOWHERE:
                lines.setdefault(one.span.line, []).append(one)
        return lines

    @cached_property
    def _timed(self) -> dict[Voice, tuple[list[Fraction], list[ScoreElement]]]:
        by_voice = {}
        for voice in VOICES:
            timed = [one for one in self.elements if one.voice is voice and one.kind in _TIMED]
            by_voice[voice] = ([one.onset for one in timed], timed)
        return by_voice

    @cached_property
    def _bars(self) -> tuple[list[Fraction], list[Bar]]:
        by_index = {bar.index: bar for voice in VOICES for bar in self.score.bars(voice)}
        bars = [by_index[index] for index in sorted(by_index)]
        return [bar.start for bar in bars], bars

    def _in_force(self, identity: ElementId) -> ScoreElement | None:
        written = [
            one
            for one in self.elements
            if one.kind is identity.kind and one.voice is identity.voice and one.bar <= identity.bar
        ]
        before = [one for one in written if one.bar < identity.bar or one.onset == self._start(identity.bar)]
        return before[-1] if before else None

    def _start(self, bar: int) -> Fraction:
        starts, bars = self._bars
        return next((start for start, one in zip(starts, bars, strict=True) if one.index == bar), Fraction(0))


def _key(identity: ElementId) -> tuple[Voice | None, int, Kind, Span]:
    return identity.voice, identity.bar, identity.kind, identity.span


def _covers(one: ScoreElement, column: int) -> bool:
    end = one.span.end + 1 if one.kind is Kind.BAR else one.span.end
    return one.span.column <= column < end


def _elements(score: Score) -> Iterator[ScoreElement]:
    nothing = Fraction(0)
    for name, kind in (("Q", Kind.TEMPO), ("K", Kind.KEY), ("M", Kind.METER)):
        span = score.header.span_of(name)
        for voice in (None,) if kind is Kind.TEMPO else VOICES:
            yield ScoreElement(ElementId(voice, 0, kind, span or NOWHERE), nothing, nothing)
    index = 0
    for group in score.groups:
        bars = [*group.vocal.bars[:1], *group.ins.bars[:1]]
        if not bars:
            continue
        for label in group.labels:
            yield ScoreElement(ElementId(None, index, Kind.LABEL, label.span), bars[0].start, nothing)
        for line in (group.vocal, group.ins):
            for span, kind in ((line.key_span, Kind.KEY), (line.meter_span, Kind.METER)):
                if span is not None:
                    yield ScoreElement(ElementId(line.voice, index, kind, span), bars[0].start, nothing)
            for bar in line.bars:
                yield from _of_bar(bar)
        index += group.bar_count


def _of_bar(bar: Bar) -> Iterator[ScoreElement]:
    def element(kind: Kind, span: Span, offset: Fraction, duration: Fraction) -> ScoreElement:
        return ScoreElement(ElementId(bar.voice, bar.index, kind, span), bar.start + offset, duration)

    yield element(Kind.BAR, bar.span, Fraction(0), bar.slot)
    for tuplet in bar.tuplets:
        first = bar.events[tuplet.first] if tuplet.first < len(bar.events) else None
        if first is not None:
            yield element(Kind.TUPLET, tuplet.span, first.offset, Fraction(0))
    if bar.is_full_rest:
        yield element(Kind.REST, bar.span, Fraction(0), bar.length)
    for event in bar.events:
        if isinstance(event, KeyChange):
            yield element(Kind.KEY, event.span, event.offset, Fraction(0))
            continue
        if event.chord is not None:
            yield element(Kind.CHORD, event.chord.span, event.offset, event.length)
        kind = Kind.NOTE if isinstance(event, Note) else Kind.REST
        yield element(kind, event.span, event.offset, event.length)
