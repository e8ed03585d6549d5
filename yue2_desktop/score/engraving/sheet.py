"""A whole score as finished pages: engraved, coloured, flawed bars tinted. What files and printers get."""

from __future__ import annotations

from yue2_desktop.score.engraving.engrave import Layout, engrave
from yue2_desktop.score.engraving.flaws import flaws
from yue2_desktop.score.engraving.page_map import PageMap
from yue2_desktop.score.engraving.score_map import ScoreMap
from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.engraving.tint import LIGHT, Palette, on_paper
from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.errors import Problem, ProblemKind


def sheet(
    parsed: Parsed, layout: Layout | None = None, palette: Palette = LIGHT, *, marked: bool = True
) -> tuple[Fitted, ...]:
    """Return all pages of a score; with `marked`, bars with errors or warnings are tinted.

    Raises Problem(BAD_SCORE) for a text in which there are no bars to draw.
    """
    require_bars(parsed)
    engraving = engrave(parsed.score, layout, palette.ink)
    pages = PageMap(ScoreMap(parsed.score), engraving)
    drawn = [engraving.page(at) for at in range(engraving.page_count)]
    placed = [
        (one, palette.error if flaw.is_error else palette.warning)
        for flaw in (flaws(parsed) if marked else ())
        for one in pages.staves(flaw.bar, flaw.voice)
    ]
    return tuple(
        on_paper(page, palette.paper, [(one.box, colour) for one, colour in placed if one.page == at])
        for at, page in enumerate(drawn)
    )


def require_bars(parsed: Parsed) -> None:
    """Raise Problem(BAD_SCORE) with the reason where a text has no bars; ordinary ABC is to be imported first."""
    if parsed.score.bar_count:
        return
    if parsed.is_foreign:
        sentence = "This is ordinary ABC, not a YuE2 score; 'yue2-desktop score import' turns it into one."
    else:
        sentence = parsed.diagnostics[0].sentence if parsed.diagnostics else "The score has no bars."
    raise Problem(ProblemKind.BAD_SCORE, sentence, foreign=parsed.is_foreign)
