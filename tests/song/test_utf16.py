"""Places in a text between Python and Qt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.song.utf16 import from_utf16, to_utf16


@pytest.mark.parametrize(
    ("text", "offset", "units"),
    [("abc", 2, 2), ("🤣b☃", 1, 2), ("🤣b☃", 3, 4), ("", 0, 0), ("a🤣", 9, 3), ("a", -1, 0)],
)
def test_places(text: str, offset: int, units: int) -> None:
    assert to_utf16(text, offset) == units


def test_inside_a_character_is_that_character() -> None:
    assert from_utf16("a🤣b", 2) == 1
    assert from_utf16("a🤣b", 99) == 3


@given(st.text(), st.data())
def test_there_and_back(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    assert from_utf16(text, to_utf16(text, offset)) == offset
