"""The engraver: a score in, pages out. The only module that calls verovio, and only with MEI that is ours.

verovio's own readers of ABC end the process on ordinary broken text, so they are never used. A toolkit is made without
its default font and is told where its data lies, which works in every thread (spec/abc.md, section 7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from yue2_desktop.score.engraving.fonts import data_folder
from yue2_desktop.score.engraving.mei import MAX_BARS, measure_id, mei
from yue2_desktop.score.engraving.svg_fit import Fitted, fit
from yue2_desktop.score.model import Score
from yue2_desktop.song.errors import Problem, ProblemKind

#: Half the distance of two staff lines is drawn as this many tenths of a millimetre at `Layout.staff` 1.
_UNIT = 8.0


@dataclass(frozen=True, slots=True)
class Layout:
    """How pages are laid out: width, height and margin in millimetres; `staff` scales staves and text, 1 is 6.4 mm.

    With `height` None there is one page as tall as the song.
    """

    width: float = 210.0
    height: float | None = 297.0
    margin: float = 12.0
    staff: float = 1.0

    def options(self) -> dict[str, Any]:
        """Return the engraver's options; raises ValueError for sizes that it cannot take."""
        if not 40 <= self.width <= 5000 or (self.height is not None and not 40 <= self.height <= 5000):
            raise ValueError("a page is 40 to 5,000 mm wide and high")
        if not 0.57 <= self.staff <= 1.5 or not 0 <= self.margin <= 50:
            raise ValueError("a staff is scaled by 0.57 to 1.5, a margin is 0 to 50 mm")
        margin = round(self.margin * 10)
        return {
            "pageWidth": round(self.width * 10),
            "pageHeight": 60000 if self.height is None else round(self.height * 10),
            "adjustPageHeight": self.height is None,
            "pageMarginLeft": margin,
            "pageMarginRight": margin,
            "pageMarginTop": margin,
            "pageMarginBottom": margin,
            "unit": _UNIT * self.staff,
            **_OPTIONS,
        }


_OPTIONS: dict[str, Any] = {
    "inputFrom": "mei",
    "xmlIdSeed": 1,
    "header": "none",
    "footer": "none",
    "breaks": "auto",
    "smuflTextFont": "none",
    "svgFormatRaw": True,
    "spacingStaff": 18,  # the Ins goes high: its ledger lines reach the Vocal staff at less
    "spacingSystem": 6,
    "defaultBottomMargin": 0.9,
    "justifyVertically": False,
    "minLastJustification": 0.8,
}


@dataclass
class Engraving:
    """A score that was laid out. Pages are made when they are asked for and kept; indices count from 0.

    Not to be used by two threads at once. `ink` is the colour of everything drawn.
    """

    page_count: int
    layout: Layout
    ink: str
    is_cut: bool
    _toolkit: Any
    _pages: dict[int, Fitted] = field(default_factory=dict)

    def page(self, index: int) -> Fitted:
        """Return a page as SVG with its boxes; raises IndexError, and Problem(UNSUPPORTED) if it cannot be drawn."""
        if not 0 <= index < self.page_count:
            raise IndexError(f"page {index} of {self.page_count}")
        if index not in self._pages:
            raw = self._toolkit.renderToSVG(index + 1)
            if not raw:
                raise _undrawn()
            self._pages[index] = fit(raw, self.ink)
        return self._pages[index]

    def page_of_bar(self, bar: int) -> int | None:
        """Return the page with a bar, by the bar's index; None for a bar that was not drawn."""
        page = int(self._toolkit.getPageWithElement(measure_id(bar)))
        return page - 1 if page > 0 else None

    def timemap(self) -> list[dict[str, Any]]:
        """Return the engraver's own list of times (`qstamp` in quarters) and ids; what our times are tested against."""
        entries: list[dict[str, Any]] = self._toolkit.renderToTimemap({"includeMeasures": True, "includeRests": True})
        return entries

    def midi(self) -> str:
        """Return the engraver's own MIDI file in base 64, for the same purpose; the program exports its own."""
        return str(self._toolkit.renderToMIDI())


def engrave(score: Score, layout: Layout | None = None, ink: str = "#000000", bars: range | None = None) -> Engraving:
    """Lay out a score, whatever is wrong with it: what was understood is drawn; with `bars` only those indices.

    Can be called in any thread; it holds the interpreter for about 80 ms at 100 bars. Raises Problem(UNSUPPORTED)
    where verovio is missing or cannot lay the score out, and ValueError for impossible sizes.
    """
    layout = layout or Layout()
    return _laid_out(mei(score, bars=bars), layout, ink, is_cut=score.bar_count > MAX_BARS)


def _laid_out(document: str, layout: Layout, ink: str, *, is_cut: bool = False) -> Engraving:
    toolkit = _new_toolkit()
    toolkit.setOptions(layout.options())
    if not toolkit.loadData(document):
        raise _undrawn()
    return Engraving(int(toolkit.getPageCount()), layout, ink, is_cut, toolkit)


def _new_toolkit() -> Any:
    folder = data_folder()
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit(False)
    toolkit.setResourcePath(str(folder))
    return toolkit


def _undrawn() -> Problem:
    return Problem(
        ProblemKind.UNSUPPORTED,
        "The score could not be drawn: the engraver gave nothing back; the text of the score is as it was.",
    )
