"""Whether the lines of a text are a tune in ABC, or words that look like one here and there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from yue2_desktop.score.importing.abc_fields import abc_key

_FIELD: Final = re.compile(r"([A-Za-z+]):(.*)")
#: Words may stand in these: chord symbols and remarks, decorations, fields inside a line.
_ASIDE: Final = re.compile(r'"[^"]*"|![^!]*!|\+[^+\s]*\+|\[[A-Za-z]:[^\]]*\]')
#: Notes, rests, and the letters that stand for decorations.
_MUSIC: Final = frozenset("ABCDEFGabcdefgzxyZXuvTHLMOPS")
#: So much of the letters of a tune without a head is music; of words it is less than the half.
_LEAST: Final = 0.8


def is_tune(lines: Sequence[str]) -> bool:
    """Whether lines without comments are a tune: by its number and key, or else by what its music is made of.

    A list of things to buy may have a line that begins like a field, and every word has letters that are notes.
    """
    fields = [found.groups() for line in lines if (found := _FIELD.match(line))]
    has_number = any(name == "X" for name, _ in fields)
    if has_number and any(name == "K" and abc_key(value) is not None for name, value in fields):
        return True
    music = "".join(_ASIDE.sub("", line) for line in lines if not _FIELD.match(line))
    letters = [letter for letter in music if letter.isalpha()]
    return sum(letter in _MUSIC for letter in letters) >= _LEAST * len(letters)  # none at all: no music, but no words
