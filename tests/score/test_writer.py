"""The writer on single parts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.score.samples import MALFORMED, bare, header
from yue2_desktop.score.parser import parse
from yue2_desktop.score.writer import note_letter, write, write_bars, write_header, write_units


def test_the_header_is_written_exactly() -> None:
    assert write_header(parse(bare("C16|", key="F#m", unit=32)).score.header) + "\n" == header(unit=32, key="F#m")


@pytest.mark.parametrize(("octave", "written"), [(2, "C,,"), (3, "C,"), (4, "C"), (5, "c"), (6, "c'"), (8, "c'''")])
def test_octaves(octave: int, written: str) -> None:
    assert note_letter("C", octave) == written


def test_lengths() -> None:
    assert [write_units(units) for units in (1, 2, 16, Fraction(3, 2))] == ["", "2", "16", "3/2"]


@pytest.mark.parametrize("music", ["Z4|", "Z2|Z2|", "Z|c16|Z2|", 'Z|"C"z16|Z|', "c16|Z3|"])
def test_runs_of_silent_bars_are_written_as_they_were(music: str) -> None:
    assert write_bars(parse(bare("c16|c16|c16|c16|", music)).score.ins_bars) == music


def test_a_run_that_lost_bars_is_written_one_by_one() -> None:
    bars = parse(bare("Z4|", "Z4|")).score.ins_bars
    assert write_bars(bars[1:]) == "Z|Z|Z|"


def test_what_the_model_does_not_hold_is_not_written() -> None:
    text = write(parse(MALFORMED["26_bad_unicode"]).score)
    assert text.startswith("X:1\nT:\n")
    assert "C4C4G4G4" in text


def test_a_missing_final_newline_stays_missing() -> None:
    text = bare("C16|").rstrip("\n")
    assert write(parse(text).score) == text
