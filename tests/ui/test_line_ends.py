"""Texts as the editor's lines, and what differs between two of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.ui.line_ends import change_between, with_line_feeds

LETTERS = st.text(alphabet="ab\n\r\u2028\u2029\x0b\x0c\x1c\x85\ufdd0🤣")


@given(LETTERS)
def test_the_lines_are_those_of_python(text: str) -> None:
    made = with_line_feeds(text)
    lines = text.replace("\ufdd0", "\v").splitlines()
    assert "".join(f"{line}\n" for line in lines) in {made, f"{made}\n"}
    assert made.endswith("\n") == (text[-1:] in set("\n\r\u2028\u2029\x0b\x0c\x1c\x85\ufdd0") and bool(text))
    assert with_line_feeds(made) == made


@given(st.text(alphabet="abc"), st.text(alphabet="abc"))
def test_a_change_turns_one_text_into_the_other(before: str, after: str) -> None:
    change = change_between(before, after)
    if change is None:
        assert before == after
    else:
        assert before[: change.start] + change.text + before[change.end :] == after
        assert change.start <= change.end


def test_a_change_is_as_short_as_it_can_be() -> None:
    change = change_between("one two three", "one too three")
    assert change is not None
    assert (change.start, change.end, change.text) == (5, 6, "o")
