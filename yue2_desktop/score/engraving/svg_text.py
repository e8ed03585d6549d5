"""Text of the engraver's SVG made plain: one run each with its place, music signs in it as outlines.

The engraver nests spans without places, which QtSvg and simple renderers drop, and takes flats from a font that only
browsers load. Here every piece of text gets its own `<text>` at its own x (spec/abc.md, section 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from yue2_desktop.score.engraving.boxes import Box, around
from yue2_desktop.score.engraving.fonts import MUSIC_EM, MUSIC_FONT, TEXT_FONT, Glyph, glyph, text_width

SVG = "{http://www.w3.org/2000/svg}"
_BOLD = frozenset({"reh", "tempo"})
_ITALIC = frozenset({"mNum", "dir"})
#: Height above and below the base line, in ems, of a line of Liberation Serif.
_ASCENT, _DESCENT = 0.70, 0.22


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    family: str
    size: float
    bold: bool
    italic: bool


def plain_text(old: Element, classes: frozenset[str], ink: str) -> tuple[Element, Box | None]:
    """Return a `<g>` with the content of a `<text>`, and its box.

    `classes` are those of the elements around it, from which weight and style follow.
    """
    runs = [run for run in _runs(old, classes) if run.text]
    width = sum(_width(run) for run in runs)
    start = {"middle": 0.5, "end": 1.0}.get(old.get("text-anchor", "start"), 0.0)
    x = float(old.get("x", 0)) - start * width
    y = float(old.get("y", 0))
    group = Element(f"{SVG}g")
    boxes: list[Box] = []
    for run in runs:
        if run.family == MUSIC_FONT:
            boxes.extend(_draw_signs(group, run, x, y))
        else:
            _draw_text(group, run, x, y, ink)
            boxes.append(Box(x, y - _ASCENT * run.size, _width(run), (_ASCENT + _DESCENT) * run.size))
        x += _width(run)
    return group, around(boxes)


def _runs(old: Element, classes: frozenset[str]) -> list[_Run]:
    bold, italic = bool(classes & _BOLD), bool(classes & _ITALIC)
    found: list[_Run] = []

    def walk(element: Element, family: str, size: float, bold: bool, italic: bool) -> None:
        family = element.get("font-family", family)
        size = float(element.get("font-size", f"{size}px").removesuffix("px"))
        bold = element.get("font-weight", "bold" if bold else "normal") == "bold"
        italic = element.get("font-style", "italic" if italic else "normal") == "italic"
        children = list(element)
        if not children and element.text:
            found.append(_Run(element.text, family, size, bold, italic))
        for child in children:
            walk(child, family, size, bold, italic)

    walk(old, TEXT_FONT, 0.0, bold, italic)
    return found


def _signs(run: _Run) -> list[Glyph]:
    found = (glyph(f"{ord(char):X}") for char in run.text)
    return [one for one in found if one is not None]


def _width(run: _Run) -> float:
    if run.family == MUSIC_FONT:
        return sum(one.advance for one in _signs(run)) * run.size / MUSIC_EM
    return text_width(run.text, run.size, bold=run.bold, italic=run.italic)


def _draw_text(group: Element, run: _Run, x: float, y: float, ink: str) -> None:
    shown = run.text.strip()
    if not shown:
        return
    blank = run.text[: len(run.text) - len(run.text.lstrip())]
    x += text_width(blank, run.size, bold=run.bold, italic=run.italic)
    attributes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-family": TEXT_FONT, "font-size": f"{run.size:g}", "fill": ink}
    if run.bold:
        attributes["font-weight"] = "bold"
    if run.italic:
        attributes["font-style"] = "italic"
    SubElement(group, f"{SVG}text", attributes).text = shown


def _draw_signs(group: Element, run: _Run, x: float, y: float) -> Iterator[Box]:
    scale = run.size / MUSIC_EM
    for one in _signs(run):
        place = f"translate({x:.1f}, {y:.1f}) scale({scale:g}, {-scale:g})"
        SubElement(group, f"{SVG}path", {"d": one.outline, "transform": place})
        top = y - (one.bottom + one.height) * scale
        yield Box(x + one.left * scale, top, one.width * scale, one.height * scale)
        x += one.advance * scale
