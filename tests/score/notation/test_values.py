"""Note values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from yue2_desktop.score.elements import LENGTHS
from yue2_desktop.score.notation.values import MAX_VALUES, VALUES, values_of


@pytest.mark.parametrize("unit", [16, 32, 64])
@pytest.mark.parametrize("length", [length for length in LENGTHS if length != 48])
def test_every_legal_length_up_to_a_breve_is_one_value(length: int, unit: int) -> None:
    quarters = Fraction(4 * length, unit)
    found = values_of(quarters)
    assert len(found) == 1
    assert found[0].quarters == quarters


@pytest.mark.parametrize(
    ("quarters", "written"),
    [
        (Fraction(5, 4), [(4, 0), (16, 0)]),
        (Fraction(5), [(1, 0), (4, 0)]),
        (Fraction(7, 2), [(2, 1), (8, 0)]),
        (Fraction(24), [(0, 1), (0, 1)]),
    ],
)
def test_other_lengths_are_sums_the_longest_first(quarters: Fraction, written: list[tuple[int, int]]) -> None:
    found = values_of(quarters)
    assert [(value.base, value.dots) for value in found] == written
    assert sum(value.quarters for value in found) == quarters


@pytest.mark.parametrize("quarters", [Fraction(1, 3), Fraction(9999, 7), Fraction(40000), Fraction(1, 1000)])
def test_lengths_that_nobody_can_write_are_drawn_as_something(quarters: Fraction) -> None:
    found = values_of(quarters)
    assert 1 <= len(found) <= MAX_VALUES
    assert sum(value.quarters for value in found) <= max(quarters, VALUES[-1].quarters)
