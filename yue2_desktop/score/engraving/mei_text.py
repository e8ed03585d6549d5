"""Text in the picture: chord symbols with real accidental signs, section names, and what XML can hold of either."""

from __future__ import annotations

import re
import unicodedata
from xml.sax.saxutils import escape, quoteattr

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import ChordSymbol

#: More characters than this of a name would run over the neighbouring bars.
LONGEST_NAME = 48
_SIGNS = {-2: "𝄫", -1: "♭", 0: "", 1: "♯", 2: "𝄪"}
_ROOT = re.compile(r"([A-G])(##|#|bb|b)?")
_WRITTEN = {"##": "𝄪", "#": "♯", "bb": "𝄫", "b": "♭", None: ""}


def chord_text(symbol: ChordSymbol) -> str:
    """Return a chord symbol as it is drawn: `Bbm7b5/F#` is `B♭m7♭5/F♯`; one outside the vocabulary stays as near."""
    if symbol.chord is not None:
        return _name(symbol.chord)
    first, _, rest = symbol.text.partition("/")
    parts = [_ROOT.sub(_root, part, count=1) for part in (first, rest) if part]
    return drawable("/".join(parts)) or "?"


def drawable(text: str, longest: int = LONGEST_NAME) -> str:
    """Return what fonts can show of a text: no controls, no private or unpaired code points, one line, not too long."""
    spaced = "".join(" " if char.isspace() else char for char in text)
    kept = "".join(char for char in spaced if unicodedata.category(char)[0] != "C")
    kept = re.sub(" +", " ", kept).strip()
    return kept if len(kept) <= longest else kept[: longest - 1].rstrip() + "…"


def xml_text(text: str) -> str:
    """Return a text escaped as the content of an element."""
    return escape(text)


def xml_value(text: str) -> str:
    """Return a text escaped and quoted as the value of an attribute."""
    return quoteattr(text)


def _name(chord: Chord) -> str:
    quality = chord.quality.replace("b5", "♭5")
    bass = f"/{chord.bass.letter}{_SIGNS[chord.bass.alter]}" if chord.bass else ""
    return f"{chord.root.letter}{_SIGNS[chord.root.alter]}{quality}{bass}"


def _root(found: re.Match[str]) -> str:
    return f"{found[1]}{_WRITTEN[found[2]]}"
