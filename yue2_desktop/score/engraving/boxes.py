"""Boxes of what is drawn on a page, without any renderer: rectangles in page units, and those of SVG primitives."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from yue2_desktop.score.engraving.fonts import glyph_box

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_TRANSLATE = re.compile(r"translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)\s*\)")
_SCALE = re.compile(r"scale\(\s*(-?[\d.]+)(?:[ ,]+(-?[\d.]+))?\s*\)")


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left and top edge, width and height, y down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside or on the edge."""
        return self.x <= x <= self.right and self.y <= y <= self.bottom

    def distance(self, x: float, y: float) -> float:
        """Return how far a point lies outside, 0 inside."""
        across = max(self.x - x, 0.0, x - self.right)
        down = max(self.y - y, 0.0, y - self.bottom)
        return float((across * across + down * down) ** 0.5)

    def joined(self, other: Box) -> Box:
        """Return the smallest box around both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        return Box(left, top, max(self.right, other.right) - left, max(self.bottom, other.bottom) - top)

    def moved(self, across: float, down: float) -> Box:
        """Return the box moved to the right and down."""
        return Box(self.x + across, self.y + down, self.width, self.height)


def around(boxes: Iterable[Box]) -> Box | None:
    """Return the smallest box around all, None for none."""
    joined: Box | None = None
    for box in boxes:
        joined = box if joined is None else joined.joined(box)
    return joined


def translation(element: Element) -> tuple[float, float]:
    """Return how far an element's transform moves its content; (0, 0) without one."""
    found = _TRANSLATE.search(element.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def primitive_box(element: Element, tag: str) -> Box | None:
    """Return the box of a path, rect, polygon, polyline, ellipse or use of the engraver; None for other elements.

    Curves lie within the box of their control points, which is what is returned for them.
    """
    if tag == "use":
        return _use_box(element)
    if tag == "rect":
        return Box(*(float(element.get(name, 0)) for name in ("x", "y", "width", "height")))
    if tag == "ellipse":
        cx, cy, rx, ry = (float(element.get(name, 0)) for name in ("cx", "cy", "rx", "ry"))
        return Box(cx - rx, cy - ry, 2 * rx, 2 * ry)
    if tag in {"path", "polygon", "polyline"}:
        numbers = [float(one) for one in _NUMBER.findall(element.get("d") or element.get("points") or "")]
        half = float(element.get("stroke-width", 0)) / 2 if tag == "path" else 0.0
        return _points_box(numbers, half)
    return None


def _use_box(element: Element) -> Box | None:
    target = element.get("{http://www.w3.org/1999/xlink}href") or element.get("href") or ""
    code = target.lstrip("#").partition("-")[0]
    left, bottom, width, height = glyph_box(code)
    transform = element.get("transform", "")
    moved, scaled = translation(element), _SCALE.search(transform)
    across = float(scaled[1]) if scaled else 1.0
    down = float(scaled[2] or scaled[1]) if scaled else 1.0
    return Box(moved[0] + left * across, moved[1] - (bottom + height) * down, width * across, height * down)


def _points_box(numbers: list[float], half: float) -> Box | None:
    xs, ys = numbers[0::2], numbers[1::2]
    if not xs or not ys:
        return None
    left, top = min(xs) - half, min(ys) - half
    return Box(left, top, max(xs) + half - left, max(ys) + half - top)
