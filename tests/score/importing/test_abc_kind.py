"""What is a tune in ABC, and what only has lines that look like one."""

from __future__ import annotations

import pytest

from yue2_desktop.score.importing.abc import import_abc
from yue2_desktop.score.importing.abc_kind import is_tune
from yue2_desktop.song.errors import Problem, ProblemKind

WORDS = (
    "milk\neggs\nbread",
    "Shopping\nA: apples\nK: kiwis\nmilk, eggs, cabbage",
    "K: Ginger\nD: drinks\nbeans and beef",
    "Dear Martha,\nP: the face of a bad egg",
    "X: the unknown\nLorem ipsum dolor sit amet",
)
TUNES = (
    "T: only a title\nK:G",
    "X:1\nT:Ode\nK:D\nFFGA|AGFE|",
    "X:1\nK:C\nwords in a tune are for the reader to tell of",
    "K:C\nCDEF|GABc|",
    'M:3/4\nL:1/8\n(3ABc !trill!d2 "Am7"e2 | ~g3 {a}gfe :|',
    'M:4/4\n"^slowly and with feeling"C8|d8|\nw: words stand below the notes, in a line of their own',
)


@pytest.mark.parametrize("text", WORDS)
def test_words_are_no_tune(text: str) -> None:
    assert not is_tune(text.splitlines())
    with pytest.raises(Problem, match="is no tune in ABC; choose another file") as caught:
        import_abc(text)
    assert caught.value.kind is ProblemKind.BAD_FILE


@pytest.mark.parametrize("text", TUNES)
def test_tunes_with_and_without_a_head(text: str) -> None:
    assert is_tune(text.splitlines())
