"""How byte counts and times are written in sentences: GiB with one decimal, minutes as a musician says them."""

from __future__ import annotations

import math
from typing import Final

MIB: Final = 1024**2
GIB: Final = 1024**3
#: What a figure such as 3.3 GiB loses as a whole number of bytes, in tenths of GiB.
_EXACT: Final = 1e-6


def gib(size: int) -> str:
    """`size` bytes as `4.4 GiB`; below 100 MiB as `45 MiB`."""
    if size < 100 * MIB:
        return f"{round(size / MIB)} MiB"
    return f"{size / GIB:.1f} GiB"


def shortfall(need: int, have: int) -> tuple[str, str]:
    """`need` rounded up and `have` rounded down, in bytes, so that what is too much never reads as equal."""
    tenths_needed, tenths_had = math.ceil(need / GIB * 10 - _EXACT), math.floor(have / GIB * 10 + _EXACT)
    return f"{tenths_needed / 10:.1f} GiB", f"{tenths_had / 10:.1f} GiB"


def duration(low: float, high: float) -> str:
    """A range of seconds as `40-55 s`, `7-9 min` or `1.5-2 h`; one figure where both round to the same."""
    if high < 90:
        return _range(_round(low, 5 if high > 10 else 1), _round(high, 5 if high > 10 else 1), "s")
    if high < 90 * 60:
        return _range(_round(low / 60, 0.5 if low < 300 else 1), _round(high / 60, 1), "min")
    return _range(_round(low / 3600, 0.5), _round(high / 3600, 0.5), "h")


def _round(value: float, step: float) -> float:
    return max(step, round(value / step) * step)


def _range(low: float, high: float, unit: str) -> str:
    if low >= high:
        return f"about {high:g} {unit}"
    return f"{low:g}-{high:g} {unit}"
