"""Edits as values: applying, undoing, the least difference of two texts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from yue2_desktop.score.editing.edit import Edit, Replacement, edit_between, edit_of

LINES = st.lists(st.sampled_from(["", "a", "ab", "abc", "b c", "V: Ins"]), max_size=12).map("\n".join)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(old=LINES, new=LINES)
def test_the_difference_leads_there_and_back(old: str, new: str) -> None:
    edit = edit_between("Change.", old, new)
    assert edit.apply(old) == new
    assert edit.inverse(old).apply(new) == old
    assert edit.is_empty == (old == new)
    assert all(one.end <= two.start for one, two in zip(edit.replacements, edit.replacements[1:], strict=False))


def test_only_what_differs_is_replaced() -> None:
    edit = edit_between("Change.", "one\ntwo\nthree\nfour\n", "one\ntxo\nthree\nfive\n")
    assert edit.replacements == (Replacement(5, 6, "x"), Replacement(15, 18, "ive"))


def test_a_long_difference_is_one_piece() -> None:
    old, new = "\n".join(f"a{n}" for n in range(900)), "\n".join(f"b{n}" for n in range(900))
    edit = edit_between("Change.", old, new)
    assert len(edit.replacements) == 1
    assert edit.apply(old) == new


def test_replacements_are_sorted_and_idle_ones_dropped() -> None:
    edit = edit_of("Change.", [Replacement(4, 5, "y"), Replacement(0, 1, "x"), Replacement(2, 3, "c")], "a cde")
    assert edit.replacements == (Replacement(0, 1, "x"), Replacement(4, 5, "y"))
    assert edit.apply("a cde") == "x cdy"


def test_undo_says_what_it_undoes() -> None:
    assert Edit("Set the tempo.", ()).inverse("").description == "Undo: Set the tempo."
