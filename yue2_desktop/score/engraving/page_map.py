"""Pages, text and time: from a point on a page to the text, from the text or a time to boxes on pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from yue2_desktop.score.elements import VOICES, Bar, Voice
from yue2_desktop.score.engraving.boxes import Box, around
from yue2_desktop.score.engraving.ids import NOWHERE, Kind, id_text, read_id
from yue2_desktop.score.engraving.mei import bar_id
from yue2_desktop.score.engraving.score_map import ScoreElement, ScoreMap
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.notation.values import MAX_VALUES

#: A click this far (hundredths of a millimetre) from an element still means it.
REACH = 150.0
_PLACED = frozenset({Kind.NOTE, Kind.REST})


@dataclass(frozen=True, slots=True)
class Placed:
    """A box on a page; the page's index counts from 0, the box is in page units."""

    page: int
    box: Box


class Pages(Protocol):
    """What has the pages of a score: an `Engraving`, or parts of the song that were engraved one by one."""

    def page(self, index: int) -> Fitted:
        """Return a page by its index from 0."""
        ...

    def page_of_bar(self, bar: int) -> int | None:
        """Return the page with a bar, None for a bar that was not drawn."""
        ...


class PageMap:
    """The way between pages, text and time.

    `boxes` returns the boxes of a page's elements by id, in page units; by default those that were measured when the
    page was made. An app may give its renderer's own instead. Pages are made only as they are asked for.
    """

    def __init__(
        self, score_map: ScoreMap, engraving: Pages, boxes: Callable[[int], Mapping[str, Box]] | None = None
    ) -> None:
        self.score_map = score_map
        self._engraving = engraving
        self._boxes = boxes or (lambda page: engraving.page(page).boxes)

    def hit(self, page: int, x: float, y: float, reach: float = REACH) -> ScoreElement | None:
        """Return what a point of a page means: the element under it, or the nearest within `reach`, or the bar."""
        best: tuple[float, float] | None = None
        meant: ScoreElement | None = None
        bar: ScoreElement | None = None
        for name, box in self._boxes(page).items():
            distance = box.distance(x, y)
            if distance > reach:
                continue
            identity = read_id(name)
            if identity is None:
                continue
            if identity.kind is Kind.BAR:
                bar = self.score_map.by_id(name) if distance == 0 else bar
                continue
            rank = (distance, box.width * box.height)
            if best is None or rank < best:
                found = self.score_map.by_id(name)
                if found is not None:
                    best, meant = rank, found
        return meant or bar

    def boxes(self, element: ScoreElement) -> tuple[Placed, ...]:
        """Return where an element is drawn: one box for each piece of a note, none where it was not drawn."""
        page = self._engraving.page_of_bar(element.bar)
        if page is None:
            return ()
        drawn = self._boxes(page)
        identity = element.identity
        names = [id_text(identity.voice, identity.bar, identity.kind, identity.span, n) for n in range(MAX_VALUES)]
        if identity.kind in {Kind.KEY, Kind.METER} and names[0] not in drawn:
            names = [id_text(identity.voice, identity.bar, identity.kind, NOWHERE)]
        return tuple(Placed(page, drawn[name]) for name in names if name in drawn)

    def at_text(self, line: int, column: int) -> tuple[Placed, ...]:
        """Return the boxes of what is written at a place of the text, of all bars that one `Z4` makes."""
        found = self.score_map.at_text(line, column)
        if not found:
            return ()
        same = [one for one in found if (one.kind, one.span) == (found[0].kind, found[0].span)]
        return tuple(placed for one in same for placed in self.boxes(one))

    def at_time(self, quarters: Fraction | float) -> tuple[Placed, ...]:
        """Return the boxes of the notes and rests at a time."""
        return tuple(placed for one in self.score_map.at_time(quarters) for placed in self.boxes(one))

    def staves(self, index: int, voice: Voice | None = None) -> tuple[Placed, ...]:
        """Return the boxes of a bar's staff lines, of one voice or of both from the top."""
        page = self._engraving.page_of_bar(index)
        if page is None:
            return ()
        drawn = self._boxes(page)
        wanted = VOICES if voice is None else (voice,)
        names = [bar_id(one, index, self._bars[one].get(index)) for one in wanted]
        return tuple(Placed(page, drawn[name]) for name in names if name in drawn)

    def bar(self, index: int) -> Placed | None:
        """Return the box around both staves of a bar."""
        staves = self.staves(index)
        box = around(one.box for one in staves)
        return Placed(staves[0].page, box) if box is not None else None

    @cached_property
    def _bars(self) -> dict[Voice, dict[int, Bar]]:
        return {voice: {bar.index: bar for bar in self.score_map.score.bars(voice)} for voice in VOICES}

    def playhead(self, quarters: Fraction | float) -> Placed | None:
        """Return a line without width across both staves at a time: it moves evenly from note to note."""
        index = self.score_map.bar_at(quarters)
        frame = self.bar(index) if index is not None else None
        if frame is None or index is None:
            return None
        stops = self._stops(index, frame)
        left = stops[0]
        right = stops[-1]
        for time, x in stops:
            if time <= quarters:
                left = (time, x)
            else:
                right = (time, x)
                break
        share = float((quarters - left[0]) / (right[0] - left[0])) if right[0] > left[0] else 0.0
        x = left[1] + share * (right[1] - left[1])
        return Placed(frame.page, Box(x, frame.box.y, 0.0, frame.box.height))

    def _stops(self, index: int, frame: Placed) -> list[tuple[Fraction, float]]:
        """Return times in the bar and where they lie across the page, in order of both."""
        drawn = self._boxes(frame.page)
        places: dict[Fraction, float] = {}
        end = Fraction(0)
        for one in self.score_map.in_bar(index):
            if one.kind is Kind.BAR:
                end = max(end, one.onset + one.duration)
                places.setdefault(one.onset, frame.box.x)
            elif one.kind in _PLACED and one.name in drawn:
                box = drawn[one.name]
                if one.duration < self._length(index) or one.kind is Kind.NOTE:
                    places[one.onset] = box.x
        places[end] = frame.box.right
        stops: list[tuple[Fraction, float]] = []
        for time, x in sorted(places.items()):
            if not stops or x > stops[-1][1]:
                stops.append((time, x))
        return stops

    def _length(self, index: int) -> Fraction:
        return max((one.duration for one in self.score_map.in_bar(index) if one.kind is Kind.BAR), default=Fraction(0))
