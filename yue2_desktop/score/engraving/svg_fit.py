"""Makes the engraver's SVG fit for Qt and every plain renderer, and measures the elements that carry our ids.

QtSvg draws a blank page from the raw file: it skips nested `<svg>`, style sheets and nested spans
(spec/abc.md, section 3, has what was measured). Nothing here needs Qt.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from yue2_desktop.score.engraving.boxes import Box, around, primitive_box, translation
from yue2_desktop.score.engraving.ids import NOWHERE, ElementId, Kind, read_id
from yue2_desktop.score.engraving.svg_text import SVG, plain_text

ET.register_namespace("", "http://www.w3.org/2000/svg")
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
#: Marks of sections and of the tempo.
_CENTRED = frozenset({Kind.LABEL, Kind.TEMPO})
#: Space between a section's name and its frame, in page units.
_PADDING = 90.0
_STROKED = frozenset({"path", "polyline", "polygon", "rect"})


@dataclass(frozen=True, slots=True)
class Fitted:
    """A page as SVG, its size in page units, and the boxes (same units) of its elements by id.

    A page unit is a hundredth of a millimetre. The box of a bar is that of its staff lines.
    """

    svg: str
    width: float
    height: float
    boxes: dict[str, Box]


def fit(raw: str, ink: str = "#000000") -> Fitted:
    """Return a page of the engraver made plain, with everything in the colour `ink` (any SVG colour).

    Raises ValueError for a text that is no page of the engraver.
    """
    root = ET.fromstring(raw)  # noqa: S314 - the engraver's own output, from MEI that is ours
    inner = root.find(f"{SVG}svg")
    if inner is None:
        raise ValueError("the engraver's page has no inner svg")
    view = inner.get("viewBox", "0 0 0 0").split()
    width, height = float(view[2]), float(view[3])
    page = Element(f"{SVG}svg", {
        "width": f"{width / 100:g}mm", "height": f"{height / 100:g}mm", "viewBox": f"0 0 {view[2]} {view[3]}",
        "version": "1.1",
    })  # fmt: skip
    defs = root.find(f"{SVG}defs")
    if defs is not None:
        page.append(defs)
    ink_group = ET.SubElement(page, f"{SVG}g", {"fill": ink, "stroke": "none"})
    ink_group.extend(list(inner))
    boxes: dict[str, Box] = {}
    _Walk(ink, boxes).children(ink_group, (0.0, 0.0), (), frozenset())
    return Fitted(ET.tostring(page, encoding="unicode"), width, height, boxes)


class _Walk:
    """One pass over the page: removes, flattens, strokes and measures."""

    def __init__(self, ink: str, boxes: dict[str, Box]) -> None:
        self._ink = ink
        self._boxes = boxes
        self._bar: ElementId | None = None
        self._text: Box | None = None

    def children(
        self, parent: Element, place: tuple[float, float], inside: Sequence[ElementId], classes: frozenset[str]
    ) -> None:
        """Treat the children of an element whose content is moved by `place` and lies inside those of our elements."""
        kept: list[Element] = []
        for child in parent:
            tag = child.tag.removeprefix(SVG)
            if tag == "g":
                if self._group(child, place, inside, classes):
                    kept.append(child)
            elif tag == "text":
                group, box = plain_text(child, classes, self._ink)
                kept.append(group)
                self._text = box
                self._measure(box, place, inside)
            elif tag not in {"title", "desc", "style"}:
                self._primitive(child, tag)
                self._measure(primitive_box(child, tag), place, inside)
                kept.append(child)
        parent[:] = kept

    def _group(
        self, group: Element, place: tuple[float, float], inside: Sequence[ElementId], classes: frozenset[str]
    ) -> bool:
        """Treat a group and return whether anything of it stays."""
        own = frozenset(group.attrib.pop("class", "").split())
        if "placeholder" in own:
            return False
        across, down = translation(group)
        place = (place[0] + across, place[1] + down)
        identity = read_id(group.get("id", "")) or self._signature(own)
        if identity is None:
            group.attrib.pop("id", None)
        elif identity.kind is Kind.BAR:
            if "staff" in own:
                self._begin_bar(group, identity, place)
        else:
            group.set("id", identity.text)
            inside = (*inside, identity)
        if "layer" in own:
            self._bar = None
        self.children(group, place, inside, classes | own)
        if identity is not None and identity.kind in _CENTRED:
            self._begin_at_centre(group, identity.text, place)
        return len(group) > 0

    def _begin_bar(self, group: Element, identity: ElementId, place: tuple[float, float]) -> None:
        self._bar = identity
        lines = around(filter(None, (primitive_box(line, "path") for line in group.findall(f"{SVG}path"))))
        if lines is not None:
            self._boxes[identity.text] = lines.moved(*place)

    def _signature(self, classes: frozenset[str]) -> ElementId | None:
        """Return an id for a signature at a bar's start: the engraver makes those anew for every line of music.

        It has no place in the text of its own; what is in force there does. Those behind the layer warn of the next
        line's and get none.
        """
        kind = Kind.KEY if "keySig" in classes else Kind.METER if "meterSig" in classes else None
        if kind is None or self._bar is None:
            return None
        return ElementId(self._bar.voice, self._bar.bar, kind, NOWHERE)

    def _begin_at_centre(self, group: Element, name: str, place: tuple[float, float]) -> None:
        """Move a mark that the engraver centred above the first note so that it begins there, as the chords do.

        Its frame is drawn around the text as the shipped font has it: the engraver knows no width for other scripts.
        """
        text = self._text
        if text is None:
            return
        centre = text.x + text.width / 2
        frame = group.find(f"{SVG}rect")
        pad = _PADDING if frame is not None else 0.0
        box = text.moved(centre + pad - text.x, 0.0)
        for child in group:
            if child.tag == f"{SVG}g":
                child.set("transform", f"translate({centre + pad - text.x:.1f}, 0)")
        if frame is not None:
            frame.set("x", f"{centre:.1f}")
            frame.set("width", f"{text.width + 2 * pad:.1f}")
            box = primitive_box(frame, "rect") or box
        self._boxes[name] = box.moved(*place)

    def _primitive(self, element: Element, tag: str) -> None:
        element.attrib.pop("id", None)
        if element.get("fill-opacity") == "0":
            element.attrib.pop("fill-opacity")
            element.set("fill", "none")
        if tag in _STROKED and "stroke-width" in element.attrib:
            element.set("stroke", self._ink)

    def _measure(self, box: Box | None, place: tuple[float, float], inside: Sequence[ElementId]) -> None:
        if box is None:
            return
        for identity in inside:
            name = identity.text
            old = self._boxes.get(name)
            moved = box.moved(*place)
            self._boxes[name] = moved if old is None else old.joined(moved)
