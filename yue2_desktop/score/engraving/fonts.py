"""Widths of text, and the outlines of music signs, which come from the engraver's data.

The text font is the shipped Liberation Serif, which is as wide as Times, with which the engraver reckons. It has no
flat and no natural (U+266D, U+266E), so those of chord symbols are drawn as outlines of the engraver's music font.
"""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from yue2_desktop.score.engraving.truetype import advance_widths
from yue2_desktop.song.errors import Problem, ProblemKind

#: The text font of the pictures; `resources/fonts` has it.
TEXT_FONT = "Liberation Serif"
#: The engraver's music font, and the units of its em square.
MUSIC_FONT = "Leipzig"
MUSIC_EM = 1000
_USUAL_WIDTH = 0.5


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign of the music font in units of its em: box (y up), advance width, outline as an SVG path (y up)."""

    left: float
    bottom: float
    width: float
    height: float
    advance: float
    outline: str


@lru_cache(maxsize=1)
def data_folder() -> Path:
    """Return the folder with the engraver's data; raises Problem(UNSUPPORTED) where verovio is not installed."""
    spec = find_spec("verovio")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(place) / "data"
        if (folder / f"{MUSIC_FONT}.xml").is_file():
            return folder
    raise Problem(
        ProblemKind.UNSUPPORTED,
        "Scores cannot be drawn here: the package verovio or its data is missing; install YuE2 Desktop again.",
    )


def text_width(text: str, size: float, *, bold: bool, italic: bool) -> float:
    """Return the width of a text in Liberation Serif at a size, in the size's unit.

    Characters that the font lacks count half an em, those of wide scripts a full one.
    """
    widths = advance_widths(bold=bold, italic=italic)
    total = 0.0
    for char in text:
        width = widths.get(ord(char))
        if width is None:
            width = 1.0 if unicodedata.east_asian_width(char) in "WF" else _USUAL_WIDTH
        total += width
    return total * size


@lru_cache(maxsize=1)
def _boxes() -> dict[str, tuple[float, float, float, float, float]]:
    root = ET.parse(data_folder() / f"{MUSIC_FONT}.xml").getroot()  # noqa: S314 - as above
    return {
        one.attrib["c"]: (
            float(one.attrib["x"]), float(one.attrib["y"]), float(one.attrib["w"]), float(one.attrib["h"]),
            float(one.attrib.get("h-a-x") or one.attrib["w"]),
        )
        for one in root
        if "c" in one.attrib
    }  # fmt: skip


def glyph_box(code: str) -> tuple[float, float, float, float]:
    """Return left, bottom, width and height (y up, em of 1000) of the sign with a hexadecimal code point."""
    return _boxes().get(code, (0.0, 0.0, 0.0, 0.0, 0.0))[:4]


@lru_cache(maxsize=64)
def glyph(code: str) -> Glyph | None:
    """Return a sign of the music font by its hexadecimal code point, None where the font has it not."""
    box = _boxes().get(code)
    path = data_folder() / MUSIC_FONT / f"{code}.xml"
    if box is None or not path.is_file():
        return None
    outline = ET.parse(path).getroot().find("path")  # noqa: S314 - as above
    return None if outline is None else Glyph(*box, outline.attrib.get("d", ""))
