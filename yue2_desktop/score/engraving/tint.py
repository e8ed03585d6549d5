"""Colours of a page: ink and paper for light and dark, and flawed bars tinted underneath the staves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from yue2_desktop.score.engraving.boxes import Box
from yue2_desktop.score.engraving.svg_fit import Fitted

#: How far a tint reaches above and below the staff and across the bar lines, in page units.
_REACH = 180.0


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as `#rrggbb`: what is drawn, what it is drawn on, bars with errors, bars with warnings only."""

    ink: str
    paper: str
    error: str
    warning: str


LIGHT = Palette(ink="#000000", paper="#ffffff", error="#f8d0cd", warning="#fbeec4")
DARK = Palette(ink="#e6e4df", paper="#1e2126", error="#5c2b2e", warning="#4d4423")


def on_paper(page: Fitted, paper: str, tints: Iterable[tuple[Box, str]] = ()) -> Fitted:
    """Return the page with a background and with boxes in colours between that and what is drawn."""
    rects = [_rect(Box(0, 0, page.width, page.height), paper)]
    rects += [_rect(Box(box.x, box.y - _REACH, box.width, box.height + 2 * _REACH), colour) for box, colour in tints]
    head, mark, rest = page.svg.partition(">")
    return Fitted(f"{head}{mark}{''.join(rects)}{rest}", page.width, page.height, page.boxes)


def _rect(box: Box, colour: str) -> str:
    return f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" fill="{colour}" />'
