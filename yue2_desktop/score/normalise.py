"""What is put right in a supplied text before the model sees it, and said: line ends, byte order mark, hard spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yue2_desktop.score.parser import HARD_SPACES

_FIELD_SPACES = re.compile(f"[{HARD_SPACES}]")


@dataclass(frozen=True, slots=True)
class Normalised:
    """The text as the model gets it, and one sentence for each kind of change; none where nothing was changed."""

    text: str
    notes: tuple[str, ...]


def normalise(text: str) -> Normalised:
    """Return the text with line feeds alone, without byte order marks, with ordinary spaces in fields and labels.

    Hard spaces in music lines are removed, since music has no spaces at all. The model was trained on such text, and
    other characters give other tokens (spec/abc.md, section 7, row 11).
    """
    notes = []
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
        notes.append("A byte order mark was removed.")
    count = text.count("\r")
    if count:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        notes.append(f"{count} line end{'s' if count > 1 else ''} of Windows became line feeds.")
    count = len(_FIELD_SPACES.findall(text))
    if count:
        text = "\n".join(map(_plain_spaces, text.split("\n")))
        notes.append(f"{count} hard space{'s were' if count > 1 else ' was'} replaced or removed.")
    return Normalised(text, tuple(notes))


def _plain_spaces(line: str) -> str:
    if line.startswith("%") or line[1:2] == ":":
        return _FIELD_SPACES.sub(" ", line).rstrip(" ")
    return _FIELD_SPACES.sub("", line)
