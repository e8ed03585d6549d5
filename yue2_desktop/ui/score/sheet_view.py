"""One score as it is shown: pages under one another in pixels, and the ways between points, elements and times."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF

from yue2_desktop.score.engraving.flaws import Flaw, flaws
from yue2_desktop.score.engraving.page_map import PageMap, Placed
from yue2_desktop.score.engraving.score_map import ScoreElement, ScoreMap
from yue2_desktop.score.parser import Parsed
from yue2_desktop.ui.score.parts import Drawn

#: Logical pixels a millimetre of paper at 100 %: a staff is 20 pixels high.
PIXELS_A_MM = 3.2
_UNITS_A_MM = 100


@dataclass(frozen=True)
class Sheet:
    """What was read and drawn, with `scale` pixels a page unit; rectangles are pixels from the top left of it all."""

    parsed: Parsed
    drawn: Drawn
    zoom: float = 1.0

    @property
    def scale(self) -> float:
        """Pixels a page unit."""
        return PIXELS_A_MM * self.zoom / _UNITS_A_MM

    @property
    def score_map(self) -> ScoreMap:
        """The elements of the score."""
        return self.drawn.score_map

    @cached_property
    def page_map(self) -> PageMap:
        """Where they are on the pages."""
        return PageMap(self.score_map, self.drawn)

    @cached_property
    def flawed(self) -> tuple[tuple[Flaw, tuple[Placed, ...]], ...]:
        """The bars with faults, and where their staves are."""
        return tuple((one, self.page_map.staves(one.bar, one.voice)) for one in flaws(self.parsed))

    @cached_property
    def tops(self) -> tuple[float, ...]:
        """The upper edge of each page, and the lower one of the last."""
        edges = [0.0]
        for part in self.drawn.parts:
            edges.append(edges[-1] + part.page.height * self.scale)
        return tuple(edges)

    @cached_property
    def width(self) -> float:
        """The width of the widest page."""
        return max((part.page.width * self.scale for part in self.drawn.parts), default=0.0)

    @property
    def height(self) -> float:
        """The height of all pages."""
        return self.tops[-1]

    def page_at(self, y: float) -> int:
        """The index of the page at a height, the nearest one outside."""
        return min(max(bisect_right(self.tops, y) - 1, 0), max(len(self.drawn.parts) - 1, 0))

    def pages_between(self, top: float, bottom: float) -> range:
        """The pages that are seen between two heights."""
        if not self.drawn.parts:
            return range(0)
        return range(self.page_at(top), self.page_at(bottom) + 1)

    def hit(self, point: QPointF) -> ScoreElement | None:
        """What a point means."""
        if not self.drawn.parts or not 0 <= point.y() <= self.height:
            return None
        page = self.page_at(point.y())
        return self.page_map.hit(page, point.x() / self.scale, (point.y() - self.tops[page]) / self.scale)

    def flaw_at(self, point: QPointF) -> Flaw | None:
        """The fault of the bar at a point."""
        for flaw, placed in self.flawed:
            if any(rect.contains(point) for rect in self.rects(placed, 180.0)):
                return flaw
        return None

    def rects(self, placed: Iterable[Placed], reach: float = 0.0) -> list[QRectF]:
        """Boxes on pages in pixels, `reach` page units larger above and below."""
        found = []
        for one in placed:
            top = self.tops[one.page]
            box = one.box
            found.append(
                QRectF(
                    box.x * self.scale,
                    top + (box.y - reach) * self.scale,
                    box.width * self.scale,
                    (box.height + 2 * reach) * self.scale,
                )
            )
        return found

    def of_element(self, element: ScoreElement) -> list[QRectF]:
        """Where an element is drawn."""
        return self.rects(self.page_map.boxes(element))

    def sounding(self, quarters: Fraction) -> list[QRectF]:
        """Where the notes are that sound at a time; rests are left out."""
        notes = [one for one in self.score_map.at_time(quarters) if one.kind.value == "n"]
        return [rect for one in notes for rect in self.of_element(one)]

    def playhead(self, quarters: Fraction) -> QRectF | None:
        """A line across both staves at a time."""
        placed = self.page_map.playhead(quarters)
        return self.rects([placed], 180.0)[0] if placed is not None else None
