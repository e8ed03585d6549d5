"""Note values: how a length is written as one value with or without a dot, or as several that are tied."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

#: A length is written with at most so many values; what is longer comes from a wrong number in the text.
MAX_VALUES = 8


@dataclass(frozen=True, slots=True)
class Value:
    """A note value: `base` is the divisor of a whole note (4 for a quarter, 0 for a breve), `dots` is 0 or 1.

    `quarters` is its length in quarter notes.
    """

    base: int
    dots: int
    quarters: Fraction


def _all_values() -> tuple[Value, ...]:
    values = []
    for base, quarters in ((0, Fraction(8)), *((2**n, Fraction(4, 2**n)) for n in range(9))):
        values.append(Value(base, 1, quarters * 3 / 2))
        values.append(Value(base, 0, quarters))
    return tuple(values)


#: Every value from the dotted breve down to the 256th, the longest first.
VALUES = _all_values()
_BY_LENGTH = {value.quarters: value for value in VALUES}


def values_of(quarters: Fraction) -> tuple[Value, ...]:
    """Return the values that write a length, the longest first; at least one.

    A length that no sum of values gives (a third of a unit) or that would take more than `MAX_VALUES` is written
    as near as possible from below: such lengths are errors of the text, and the drawing shows what was understood.
    """
    exact = _BY_LENGTH.get(quarters)
    if exact is not None:
        return (exact,)
    found: list[Value] = []
    left = quarters
    for value in VALUES:
        while value.quarters <= left and len(found) < MAX_VALUES:
            found.append(value)
            left -= value.quarters
    return tuple(found) or (VALUES[-1],)
