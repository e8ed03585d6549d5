"""Sizes and times in words."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.sizes import GIB, MIB, duration, gib, shortfall


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 MiB"), (45 * MIB, "45 MiB"), (round(4.44 * GIB), "4.4 GiB"), (10 * GIB, "10.0 GiB")]
)
def test_one_decimal(size: int, text: str) -> None:
    assert gib(size) == text


def test_a_shortfall_never_reads_as_equal() -> None:
    assert shortfall(round(3.26 * GIB), round(3.24 * GIB)) == ("3.3 GiB", "3.2 GiB")
    assert shortfall(round(7.01 * GIB), 7 * GIB) == ("7.1 GiB", "7.0 GiB")
    # 3.3 GiB is no whole number of bytes, and must not read as 3.2 for that.
    assert shortfall(4 * GIB, round(3.3 * GIB)) == ("4.0 GiB", "3.3 GiB")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (3.2, 4.8, "3-5 s"),
        (41, 57, "40-55 s"),
        (420, 540, "7-9 min"),
        (175, 185, "about 3 min"),
        (5400, 7300, "1.5-2 h"),
        (0.1, 0.2, "about 1 s"),
    ],
)
def test_times_as_ranges(low: float, high: float, text: str) -> None:
    assert duration(low, high) == text
