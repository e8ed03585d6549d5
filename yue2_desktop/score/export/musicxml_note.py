"""Notes and rests of MusicXML, their children in the order that the schema asks for."""

from __future__ import annotations

from yue2_desktop.score.elements import Note, Tuplet
from yue2_desktop.score.engraving.mei_text import xml_text
from yue2_desktop.score.export.syllables import Syllable
from yue2_desktop.score.notation.written import Mark

_TYPES = {0: "breve", 1: "whole", 2: "half", 4: "quarter", 8: "eighth", 16: "16th", 32: "32nd", 64: "64th",
          128: "128th", 256: "256th"}  # fmt: skip
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


def note_xml(
    mark: Mark, note: Note, duration: int, tuplet: Tuplet | None, edges: tuple[bool, bool], word: Syllable | None
) -> str:
    """Return a note; `duration` in divisions, `edges` say whether its tuplet begins and ends here."""
    alter = f"<alter>{note.alter}</alter>" if note.alter else ""
    octave = min(max(note.octave, 0), 9)
    back = mark.tied_back
    ties = ('<tie type="stop"/>' if back else "") + ('<tie type="start"/>' if mark.tied_on else "")
    sign = f"<accidental>{_SIGNS[mark.sign]}</accidental>" if mark.sign is not None else ""
    tied = ('<tied type="stop"/>' if back else "") + ('<tied type="start"/>' if mark.tied_on else "")
    lyric = ""
    if word is not None:
        lyric = f'<lyric number="1"><syllabic>{word.syllabic}</syllabic><text>{xml_text(word.text)}</text></lyric>'
    return (
        f"<note><pitch><step>{note.letter}</step>{alter}<octave>{octave}</octave></pitch>"
        f"<duration>{duration}</duration>{ties}<voice>1</voice>{_value(mark)}{sign}{_ratio(tuplet)}"
        f"{_notations(tied, edges)}{lyric}</note>"
    )


def rest_xml(mark: Mark, duration: int, tuplet: Tuplet | None, edges: tuple[bool, bool]) -> str:
    """Return a rest."""
    return (
        f"<note><rest/><duration>{duration}</duration><voice>1</voice>{_value(mark)}{_ratio(tuplet)}"
        f"{_notations('', edges)}</note>"
    )


def whole_rest_xml(duration: int) -> str:
    """Return the rest of a whole bar."""
    return f'<note><rest measure="yes"/><duration>{duration}</duration><voice>1</voice></note>'


def _value(mark: Mark) -> str:
    assert mark.value is not None
    return f"<type>{_TYPES[mark.value.base]}</type>{'<dot/>' * mark.value.dots}"


def _ratio(tuplet: Tuplet | None) -> str:
    if tuplet is None:
        return ""
    return (
        f"<time-modification><actual-notes>{tuplet.p}</actual-notes>"
        f"<normal-notes>{tuplet.q}</normal-notes></time-modification>"
    )


def _notations(tied: str, edges: tuple[bool, bool]) -> str:
    tuplet = ('<tuplet type="start"/>' if edges[0] else "") + ('<tuplet type="stop"/>' if edges[1] else "")
    return f"<notations>{tied}{tuplet}</notations>" if tied or tuplet else ""
