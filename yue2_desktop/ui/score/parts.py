"""The score cut into parts of a few systems, each engraved by itself: none holds the interpreter for long.

Parts begin where sections do, so that a section begins a line, and what did not change is not engraved again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.engraving.engrave import Layout, engrave
from yue2_desktop.score.engraving.mei import MAX_BARS
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.model import Score

#: More bars than this are not engraved in one piece.
MOST_BARS: Final = 16
_MARGIN_MM: Final = 5.0

Key = tuple[object, ...]


@dataclass(frozen=True)
class Part:
    """Some bars as one page, as high as they need; `key` is everything that its picture follows from."""

    bars: range
    key: Key
    page: Fitted


@dataclass(frozen=True)
class Drawn:
    """A score as parts; `page` and `page_of_bar` are what a `PageMap` asks for."""

    score_map: ScoreMap
    parts: tuple[Part, ...]

    @property
    def page_count(self) -> int:
        """How many parts there are."""
        return len(self.parts)

    def page(self, index: int) -> Fitted:
        """Return the page of a part; raises IndexError outside."""
        return self.parts[index].page

    def page_of_bar(self, bar: int) -> int | None:
        """Return the index of the part with a bar, None for a bar that was not drawn."""
        at = bisect_right([part.bars.start for part in self.parts], bar) - 1
        return at if at >= 0 and bar in self.parts[at].bars else None


def cuts(score: Score) -> tuple[range, ...]:
    """Return the bars of each part: sections, the long ones in pieces of nearly one length."""
    found: list[range] = []
    for section in score.sections:
        first, last = section.first_bar, min(section.last_bar, MAX_BARS)
        if first >= last:
            continue
        pieces = -(-(last - first) // MOST_BARS)
        edges = [first + (last - first) * at // pieces for at in range(pieces + 1)]
        found.extend(range(one, other) for one, other in pairwise(edges))
    return tuple(found)


def draw(
    score: Score, width: float, ink: str, before: Drawn | None = None, is_wanted: Callable[[], bool] = lambda: True
) -> Drawn | None:
    """Engrave a score at a width in millimetres; parts that `before` has just so are taken from there.

    Returns None as soon as `is_wanted` says no. Raises Problem(UNSUPPORTED) where it cannot be drawn.
    """
    kept = {part.key: part for part in before.parts} if before is not None else {}
    layout = Layout(width=width, height=None, margin=_MARGIN_MM)
    parts = []
    for bars in cuts(score):
        if not is_wanted():
            return None
        key = _key(score, bars, width, ink)
        part = kept.get(key)
        if part is None:
            part = Part(bars, key, engrave(score, layout, ink, bars).page(0))
        parts.append(part)
    return Drawn(ScoreMap(score), tuple(parts))


def _key(score: Score, bars: range, width: float, ink: str) -> Key:
    # The bar before decides whether a tied note needs its sign again; the bar behind, whether a tie is drawn.
    near = range(bars.start - 1, bars.stop + 1)
    content = tuple(bar for voice in VOICES for bar in score.bars(voice) if bar.index in near)
    groups = tuple(
        (group.labels, *((line.meter_span, line.key_span) for line in (group.vocal, group.ins)))
        for group in score.groups
        if any(bar.index in bars for bar in (*group.vocal.bars, *group.ins.bars))
    )
    head = (score.header.tempo, score.header.key, score.header.meter, score.header.spans) if bars.start == 0 else ()
    return (bars, width, ink, bars.stop >= score.bar_count, head, groups, content)
