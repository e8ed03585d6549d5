"""Written lengths and their splitting."""

from __future__ import annotations

from fractions import Fraction

import pytest

from yue2_desktop.score.elements import LENGTHS
from yue2_desktop.score.lengths import MAX_UNITS, legal_pieces, read_length
from yue2_desktop.score.rules import Code


@pytest.mark.parametrize("units", [length for length in LENGTHS if length > 1])
def test_legal_lengths(units: int) -> None:
    assert read_length(str(units), "note") == (units, None, "")


def test_no_length_is_one() -> None:
    assert read_length("", "note") == (1, None, "")


@pytest.mark.parametrize(
    ("written", "units", "code"),
    [
        ("1", 1, Code.LENGTH_ONE),
        ("5", 5, Code.LENGTH),
        ("0", 0, Code.LENGTH),
        ("08", 8, Code.LENGTH),
        ("64", 64, Code.LENGTH),
        ("/", Fraction(1, 2), Code.LENGTH_FORM),
        ("//", Fraction(1, 4), Code.LENGTH_FORM),
        ("3/2", Fraction(3, 2), Code.LENGTH_FORM),
        ("3/0", Fraction(3, 2), Code.LENGTH_FORM),
        ("9" * 5000, MAX_UNITS, Code.LENGTH),
        ("1/" + "9" * 5000, Fraction(1, 9999), Code.LENGTH_FORM),
    ],
)
def test_other_lengths_are_read_and_named(written: str, units: int | Fraction, code: Code) -> None:
    assert read_length(written, "rest")[:2] == (units, code)


def test_the_sentence_names_the_cure() -> None:
    assert read_length("10", "note")[2].endswith("others are tied notes.")
    assert read_length("10", "rest")[2].endswith("others are several rests.")


def test_pieces_add_up_and_are_legal() -> None:
    for units in range(1, 400):
        pieces = legal_pieces(units)
        assert sum(pieces) == units
        assert set(pieces) <= set(LENGTHS)
        assert list(pieces) == sorted(pieces, reverse=True)
    assert legal_pieces(10) == (8, 2)
