"""Tuplets: the numbers that a mark stands for, and the count of the notes that it still covers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yue2_desktop.score.elements import Meter

_SMALLEST, _LARGEST = 2, 9
_COMPOUND = frozenset({6, 9, 12})


@dataclass(frozen=True, slots=True)
class OpenTuplet:
    """A tuplet `p:q:r` of which `left` notes or rests are still to come (all r at its start)."""

    p: int
    q: int
    left: int

    @property
    def factor(self) -> Fraction:
        """What the written length of its notes is multiplied by."""
        return Fraction(self.q, self.p)

    def next(self) -> OpenTuplet | None:
        """Return the tuplet after one of its notes, None when it is complete."""
        return OpenTuplet(self.p, self.q, self.left - 1) if self.left > 1 else None


def usual_q(p: int, meter: Meter) -> int:
    """Return the time in which p notes are played when the mark does not say it (ABC 2.1, 4.13)."""
    if p in {3, 6}:
        return 2
    if p in {2, 4, 8}:
        return 3
    return 3 if meter.denominator >= 8 and meter.numerator in _COMPOUND else 2


def tuplet_numbers(p: str, q: str | None, r: str | None, meter: Meter) -> tuple[int, int, int] | None:
    """Return p, q and r of a mark, or None where it is not one of the three forms or a number is out of range.

    `q` and `r` come with their leading colon, as the tokens have them.
    """
    if q == ":" or r == ":" or len(p) > 1:
        return None
    first = int(p)
    if not _SMALLEST <= first <= _LARGEST:
        return None
    second = int(q[1:3]) if q else usual_q(first, meter)
    third = int(r[1:3]) if r else first
    if not 1 <= second <= 16 or not 1 <= third <= 16:
        return None
    return first, second, third
