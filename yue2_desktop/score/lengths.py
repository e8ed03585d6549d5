"""Written lengths: which are legal, what a number means, and how any length is split into legal ones."""

from __future__ import annotations

import re
from fractions import Fraction

from yue2_desktop.score.elements import LENGTHS
from yue2_desktop.score.rules import Code

MAX_UNITS = 9999
_LEGAL = frozenset(LENGTHS)
_FRACTION = re.compile(r"(\d*)(/+)(\d*)")
_INSTEAD = {"note": "tied notes", "rest": "several rests"}


def read_length(written: str, what: str) -> tuple[int | Fraction, Code | None, str]:
    """Return the units that a written length means, the rule that it breaks or None, and the sentence about it.

    `what` is "note" or "rest". Numbers without end are read as `MAX_UNITS`.
    """
    if not written:
        return 1, None, ""
    below = _FRACTION.match(written)
    if below is not None:
        divisor = int(below[3][:4] or 0) or 2 ** min(len(below[2]), 8)
        sentence = f"The length {written[:12]} of this {what} is not a whole number of units."
        return Fraction(int(below[1][:4] or 1), divisor), Code.LENGTH_FORM, sentence
    units = int(written[:5])
    if units not in _LEGAL or written[0] == "0":
        legal = ", ".join(map(str, LENGTHS))
        sentence = f"A {what} cannot last {written[:12]} units, only {legal}; others are {_INSTEAD[what]}."
        return min(units, MAX_UNITS), Code.LENGTH, sentence
    if units == 1:
        return 1, Code.LENGTH_ONE, f"The length 1 of this {what} is not written; leave it out."
    return units, None, ""


def legal_pieces(units: int) -> tuple[int, ...]:
    """Return legal lengths that add up to `units` (at least 1), the longest first: 10 is 8 and 2."""
    pieces = []
    while units > 0:
        piece = max(length for length in LENGTHS if length <= units)
        pieces.append(piece)
        units -= piece
    return tuple(pieces)
