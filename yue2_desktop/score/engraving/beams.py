"""Beams: which short notes of a bar are joined, beat by beat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from yue2_desktop.score.elements import Meter, Note
from yue2_desktop.score.notation.written import Mark


def beat_starts(meter: Meter) -> tuple[Fraction, ...]:
    """Return where the groups of a bar begin, in quarters: beats, dotted beats in 6/8 and its kin, 3+2 in 5/8."""
    numerator, denominator = meter.numerator, meter.denominator
    eighth = Fraction(4, denominator)
    if denominator < 8:
        return tuple(eighth * at for at in range(numerator))
    starts, at = [], 0
    while at < numerator:
        starts.append(eighth * at)
        at += 3 if numerator - at == 3 or numerator - at > 4 else 2
    return tuple(starts)


def beamed(marks: Sequence[Mark], meter: Meter) -> tuple[tuple[int, int], ...]:
    """Return the beams as half-open ranges of indices into `marks`: at least two notes shorter than a quarter each.

    A beam stays within a group of the meter and inside or outside one tuplet; rests and keys end it. Halves of 4/4 are
    joined where that reads better.
    """
    if sum(map(_is_short, marks)) < 2:
        return ()
    starts = _halves(marks, meter) or beat_starts(meter)
    runs: list[tuple[int, int]] = []
    first: int | None = None
    group: tuple[int, int | None] = (0, None)
    for at, mark in enumerate(marks):
        short = _is_short(mark)
        here = (_group(starts, mark.offset) if mark.tuplet is None else -1, mark.tuplet)
        if first is not None and (not short or here != group):
            runs.append((first, at))
            first = None
        if short and first is None:
            first, group = at, here
    if first is not None:
        runs.append((first, len(marks)))
    return tuple((one, two) for one, two in runs if two - one >= 2)


def _is_short(mark: Mark) -> bool:
    return mark.value is not None and mark.value.base >= 8 and isinstance(mark.event, Note)


def _group(starts: Sequence[Fraction], offset: Fraction) -> int:
    return sum(1 for start in starts if start <= offset)


def _halves(marks: Sequence[Mark], meter: Meter) -> tuple[Fraction, ...]:
    """Return where the groups of a 4/4 bar begin when its halves are not all cut at their middle, else nothing.

    A half of four plain eighths is one group, and so is one in which a short note sounds across the middle.
    """
    if (meter.numerator, meter.denominator) != (4, 4):
        return ()
    starts = [Fraction(0), Fraction(1), Fraction(2), Fraction(3)]
    for half in (0, 2):
        inside = [mark for mark in marks if half <= mark.offset < half + 2 and mark.value is not None]
        middle = half + 1
        if (len(inside) == 4 and all(map(_is_plain_eighth, inside))) or any(
            mark.offset < middle < mark.offset + mark.length <= half + 2 and mark.length < 1 for mark in inside
        ):
            starts.remove(Fraction(middle))
    return tuple(starts)


def _is_plain_eighth(mark: Mark) -> bool:
    if not isinstance(mark.event, Note) or mark.tuplet is not None or mark.value is None:
        return False
    return (mark.value.base, mark.value.dots) == (8, 0)
