"""A key changed by hand (user-reports.md, row 91)."""

from __future__ import annotations

from tests.score.samples import GOOD
from yue2_desktop.score.editing.keychange import key_changed_by_hand
from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.parser import parse

TWINKLE = GOOD["01_full_twinkle"]


def test_a_new_header_key_is_warned_of_with_the_transposition_that_was_meant() -> None:
    before = parse(TWINKLE)
    found = key_changed_by_hand(before, parse(TWINKLE.replace("K:C\n", "K:D\n")))
    assert found is not None
    assert found.line == 8
    assert found.sentence.startswith("The key was changed from C to D, but the notes were not moved: ")
    assert found.edit is not None
    assert found.edit.apply(TWINKLE) == transpose(before, 2).apply(TWINKLE)


def test_the_nearer_way_is_offered() -> None:
    found = key_changed_by_hand(parse(TWINKLE), parse(TWINKLE.replace("K:C\n", "K:A\n")))
    assert found is not None
    assert found.edit is not None
    assert found.edit.description == "Transpose 3 semitones down, from C to A."


def test_a_key_in_the_middle_is_warned_of_without_an_offer() -> None:
    text = GOOD["05_full_changes"]
    found = key_changed_by_hand(parse(text), parse(text.replace("K:F\n", "K:Bb\n")))
    assert found is not None
    assert (found.line, found.edit) == (23, None)


def test_a_transposition_and_other_edits_are_not_warned_of() -> None:
    before = parse(TWINKLE)
    assert key_changed_by_hand(before, parse(transpose(before, 2).apply(TWINKLE))) is None
    assert key_changed_by_hand(before, parse(TWINKLE.replace("C4C4G4G4", "C4D4G4G4"))) is None
    assert key_changed_by_hand(before, before) is None


def test_a_relative_key_moves_no_sound_and_is_not_warned_of() -> None:
    assert key_changed_by_hand(parse(TWINKLE), parse(TWINKLE.replace("K:C\n", "K:Am\n"))) is None
