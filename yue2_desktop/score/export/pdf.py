"""Pages as PDF: every element of a fitted page drawn as vectors, the text font embedded."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from yue2_desktop.score.engraving.svg_fit import Fitted
from yue2_desktop.score.engraving.truetype import FACES, advance_widths, font_file
from yue2_desktop.score.export.svg_path import segments

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
#: Points in a page unit, which is a hundredth of a millimetre.
_POINTS = 72 / 2540
_TRANSFORM = re.compile(r"(translate|scale)\(([^)]*)\)")


def pdf_bytes(pages: Sequence[Fitted], title: str = "") -> bytes:
    """Return the pages as one PDF file, the same bytes for the same pages."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("YuE2 Desktop")
    for face in FACES:
        if _face(*face) not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(_face(*face), str(font_file(bold=face[0], italic=face[1]))))
    for number, page in enumerate(pages):
        canvas.setPageSize((page.width * _POINTS, page.height * _POINTS))
        canvas.saveState()
        canvas.transform(_POINTS, 0, 0, -_POINTS, 0, page.height * _POINTS)
        _Page(canvas, number).draw(ET.fromstring(page.svg))  # noqa: S314 - a page that we made
        canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def without_glyph(pages: Sequence[Fitted]) -> str:
    """Return the characters on the pages, each once, that the embedded font lacks and shows as boxes."""
    found: dict[str, None] = {}
    for page in pages:
        for text in ET.fromstring(page.svg).iter(f"{_SVG}text"):  # noqa: S314 - a page that we made
            bold, italic = text.get("font-weight") == "bold", text.get("font-style") == "italic"
            has = advance_widths(bold=bold, italic=italic)
            found.update(dict.fromkeys(char for char in text.text or "" if ord(char) not in has))
    return "".join(found)


def _face(bold: bool, italic: bool) -> str:
    return f"YuE2-Serif{'-Bold' if bold else ''}{'-Italic' if italic else ''}"


class _Page:
    """Draws one page; glyphs become forms of the file, so that each outline is in it once a page."""

    def __init__(self, canvas: Any, number: int) -> None:
        self._canvas = canvas
        self._prefix = f"p{number}-"

    def draw(self, root: Element) -> None:
        """Draw everything below the root, whose coordinates are the canvas's."""
        for child in root:
            if child.tag == f"{_SVG}defs":
                for glyph in child:
                    self._form(glyph)
            else:
                self._element(child, "none", "none")

    def _form(self, glyph: Element) -> None:
        canvas = self._canvas
        canvas.beginForm(f"{self._prefix}{glyph.get('id')}", -3000, -3000, 6000, 6000)
        for path in glyph.iter(f"{_SVG}path"):
            canvas.saveState()
            self._transform(path)
            self._path(path, filled=True, stroked=False)
            canvas.restoreState()
        canvas.endForm()

    def _element(self, element: Element, fill: str, stroke: str) -> None:
        canvas = self._canvas
        fill, stroke = element.get("fill", fill), element.get("stroke", stroke)
        tag = element.tag.removeprefix(_SVG)
        canvas.saveState()
        self._transform(element)
        if fill != "none":
            canvas.setFillColor(HexColor(fill))
        if stroke != "none":
            canvas.setStrokeColor(HexColor(stroke))
            canvas.setLineWidth(float(element.get("stroke-width", 1)))
            canvas.setLineJoin(1 if element.get("stroke-linejoin") == "round" else 0)
            canvas.setLineCap(1 if element.get("stroke-linecap") == "round" else 0)
        if tag == "g":
            for child in element:
                self._element(child, fill, stroke)
        elif tag == "use":
            canvas.doForm(f"{self._prefix}{(element.get(_HREF) or '').lstrip('#')}")
        elif tag == "text":
            self._text(element)
        else:
            self._shape(element, tag, filled=fill != "none", stroked=stroke != "none")
        canvas.restoreState()

    def _transform(self, element: Element) -> None:
        for name, values in _TRANSFORM.findall(element.get("transform", "")):
            numbers = [float(one) for one in re.split(r"[ ,]+", values.strip())]
            if name == "translate":
                self._canvas.translate(numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
            else:
                self._canvas.scale(numbers[0], numbers[-1])

    def _shape(self, element: Element, tag: str, *, filled: bool, stroked: bool) -> None:
        canvas = self._canvas
        if tag == "path":
            self._path(element, filled=filled, stroked=stroked)
        elif tag == "rect":
            place = [float(element.get(name, 0)) for name in ("x", "y", "width", "height")]
            canvas.rect(*place, fill=int(filled), stroke=int(stroked))
        elif tag == "ellipse":
            cx, cy, rx, ry = (float(element.get(name, 0)) for name in ("cx", "cy", "rx", "ry"))
            canvas.ellipse(cx - rx, cy - ry, cx + rx, cy + ry, fill=int(filled), stroke=int(stroked))
        elif tag in {"polygon", "polyline"}:
            numbers = [float(one) for one in re.split(r"[ ,]+", element.get("points", "").strip())]
            path = canvas.beginPath()
            path.moveTo(numbers[0], numbers[1])
            for x, y in zip(numbers[2::2], numbers[3::2], strict=True):
                path.lineTo(x, y)
            if tag == "polygon":
                path.close()
            canvas.drawPath(path, fill=int(filled and tag == "polygon"), stroke=int(stroked))

    def _path(self, element: Element, *, filled: bool, stroked: bool) -> None:
        path = self._canvas.beginPath()
        for kind, *numbers in segments(element.get("d", "")):
            if kind == "M":
                path.moveTo(*numbers)
            elif kind == "L":
                path.lineTo(*numbers)
            elif kind == "C":
                path.curveTo(*numbers)
            else:
                path.close()
        self._canvas.drawPath(path, fill=int(filled), stroke=int(stroked), fillMode=1)

    def _text(self, element: Element) -> None:
        canvas = self._canvas
        canvas.translate(float(element.get("x", 0)), float(element.get("y", 0)))
        canvas.scale(1, -1)
        canvas.setFont(
            _face(element.get("font-weight") == "bold", element.get("font-style") == "italic"),
            float(element.get("font-size", 0)),
        )
        canvas.drawString(0, 0, element.text or "")
