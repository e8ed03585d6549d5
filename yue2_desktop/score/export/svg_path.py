"""SVG path data as moves, lines and cubic curves in absolute coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",).
Segment = tuple[str, *tuple[float, ...]]

_TOKEN = re.compile(r"[MmLlHhVvCcSsQqTtZz]|-?(?:\d+\.\d*|\.?\d+)(?:[eE][-+]?\d+)?")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}


def segments(data: str) -> Iterator[Segment]:
    """Yield the segments of path data; raises ValueError for data that the engraver does not write (arcs)."""
    if "A" in data or "a" in data:
        raise ValueError("arcs are not drawn")
    x = y = start_x = start_y = 0.0
    control: tuple[float, float] | None = None
    for command, values in _commands(data):
        kind = command.upper()
        across, down = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            yield ("Z",)
            x, y, control = start_x, start_y, None
            continue
        if kind == "H":
            points = [values[0] + across, y]
        elif kind == "V":
            points = [x, values[0] + down]
        else:
            points = [value + (down if at % 2 else across) for at, value in enumerate(values)]
        if kind == "M":
            start_x, start_y = points
            yield ("M", *points)
        elif kind in {"L", "H", "V"}:
            yield ("L", *points)
        else:
            points = _cubic(kind, points, x, y, control)
            yield ("C", *points)
        control = (points[2], points[3]) if len(points) == 6 else None
        x, y = points[-2], points[-1]


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    command, values = "", list[float]()
    for token in _TOKEN.findall(data):
        if token.isalpha():
            command, values = token, []
            if command in {"Z", "z"}:
                yield command, []
            continue
        if not command:
            raise ValueError("a path begins with a command")
        values.append(float(token))
        if len(values) == _COUNTS[command.upper()]:
            yield command, values
            values = []
            command = {"M": "L", "m": "l"}.get(command, command)


def _cubic(kind: str, points: list[float], x: float, y: float, control: tuple[float, float] | None) -> list[float]:
    """Return the six numbers of a cubic curve; smooth and quadratic curves are turned into one."""
    if kind == "C":
        return points
    if kind == "S":
        first = (2 * x - control[0], 2 * y - control[1]) if control else (x, y)
        return [*first, *points]
    if kind == "T":
        raise ValueError("smooth quadratic curves are not drawn")
    middle_x, middle_y, end_x, end_y = points
    return [
        x + (middle_x - x) * 2 / 3, y + (middle_y - y) * 2 / 3,
        end_x + (middle_x - end_x) * 2 / 3, end_y + (middle_y - end_y) * 2 / 3, end_x, end_y,
    ]  # fmt: skip
