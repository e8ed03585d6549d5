"""Element ids that carry where an element stands in the text: voice, bar, kind, line, columns, piece.

An id such as `v1m7n16c20e22s1` is the second piece of the note in line 16, columns 20 up to 22, in the Vocal of the
bar with index 7. The engraver keeps ids, so that they come back from the picture (spec/abc.md, section 4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from yue2_desktop.score.elements import VOICES, Span, Voice

_ID = re.compile(r"v([012])m(\d{1,6})([a-z])(\d{1,7})c(\d{1,7})e(\d{1,7})(?:s(\d{1,3}))?\Z")
#: The place of what the text does not have.
NOWHERE = Span(0, 0, 0)
_VOICE_NUMBERS = {None: 0, Voice.VOCAL: 1, Voice.INS: 2}


class Kind(StrEnum):
    """What an element is; the value is its letter in ids."""

    NOTE = "n"
    REST = "r"
    CHORD = "h"
    KEY = "k"
    METER = "t"
    LABEL = "l"
    TEMPO = "q"
    BAR = "b"
    TUPLET = "u"


@dataclass(frozen=True, slots=True)
class ElementId:
    """The parts of an id. `voice` is None for what belongs to both; `bar` is the bar's index in the song.

    `span` is the place in the text, line 0 for what the text does not have (a bar that one voice lacks).
    """

    voice: Voice | None
    bar: int
    kind: Kind
    span: Span
    piece: int = 0

    @property
    def text(self) -> str:
        """The id as it is written; a valid XML id, unique within a score."""
        return id_text(self.voice, self.bar, self.kind, self.span, self.piece)


def id_text(voice: Voice | None, bar: int, kind: Kind, span: Span, piece: int = 0) -> str:
    """Return the id of an element from its parts."""
    tail = f"s{piece}" if piece else ""
    return f"v{_VOICE_NUMBERS[voice]}m{bar}{kind}{span.line}c{span.column}e{span.end}{tail}"


def read_id(text: str) -> ElementId | None:
    """Return the parts of an id of ours, None for any other text."""
    found = _ID.match(text)
    if found is None:
        return None
    try:
        kind = Kind(found[3])
    except ValueError:
        return None
    voice = VOICES[int(found[1]) - 1] if found[1] != "0" else None
    span = Span(int(found[4]), int(found[5]), int(found[6]))
    return ElementId(voice, int(found[2]), kind, span, int(found[7] or 0))
