"""The tokens of a music line: the dialect's own, and the ABC beyond it that deserves a sentence of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from yue2_desktop.score.rules import Code

#: The dialect's tokens; the name of the group that matched names the kind.
TOKEN = re.compile(
    r"""
    (?P<note>(?P<mark>\^\^|\^|__|_|=)?(?P<letter>[A-Ga-g])(?P<octave>[,']*)(?P<length>\d*(?:/+\d*)?)(?P<tie>-?))
  | (?P<bar>\|(?![|:\]\d]))
  | (?P<rest>z(?P<rest_length>\d*+(?:/+\d*+)?+)(?![,'-]))
  | (?P<chord>"(?P<name>[^"|]{0,80})")
  | (?P<full>Z(?P<bars>\d*))
  | (?P<key>\[K:(?P<key_name>[^\]|]{0,40})\])
  | (?P<tuplet>\((?P<p>\d+)(?P<q>:\d*)?(?P<r>:\d*)?)
    """,
    re.VERBOSE,
)

_HARD = "\u00a0\u2007\u202f\u3000\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\ufeff"
_ORNAMENTS = ".~HLMNOPQRSTUVWhijklmnopqrstuvw"
#: What ordinary ABC has and the dialect has not: first characters, pattern, rule, and the sentence about it.
_FOREIGN: tuple[tuple[str, str, Code, str], ...] = (
    (":|[", r":\|:?|\|\||\|\]|\|:|\[\||::|\|\d", Code.BARLINE, "The bar line {} is not plain; write |."),
    (
        "[",
        r"\[[A-Za-z]:[^\]|]{0,200}\]?",
        Code.INLINE_FIELD,
        "The inline field {} is not in the dialect; [K:...] is.",
    ),
    ("[", r"\[[^\]|]{0,200}\]\d*(?:/+\d*)?-?", Code.NOTE_CHORD, "{} sounds several notes at once; a voice has one."),
    ("{", r"\{[^}|]*\}?", Code.GRACE, "Grace notes {} are not in the dialect."),
    ("!+", r"![^!|]{0,80}!|\+[^+|\s]{0,80}\+", Code.DECORATION, "The decoration {} is not in the dialect."),
    (_ORNAMENTS, r".(?=[\^_=]{0,4}[A-Ga-gz\"])", Code.DECORATION, "{} is a decoration; there are none."),
    ("()", r".", Code.SLUR, "Slurs ({}) are not in the dialect; hold one pitch with a tie."),
    ("&", r".", Code.OVERLAY, "Voice overlays ({}) are not in the dialect."),
    ("xXyY", r".\d*", Code.INVISIBLE_REST, "The rest {} is not in the dialect; write z or Z."),
    ("<>", r"[<>]+", Code.BROKEN_RHYTHM, "Broken rhythm ({}) is not in the dialect; write both lengths out."),
    ("%", r".+", Code.COMMENT, "A comment ({}) cannot follow music on its line."),
    (_HARD, f"[{_HARD}]+", Code.HARD_SPACE, "This space is not an ordinary space, and a music line has none."),
    (" \t", r"[ \t]+", Code.SPACE, "A music line has no spaces."),
    ('"', r".", Code.CHORD_OPEN, "The chord symbol that begins here has no closing quotation mark."),
)
_BY_FIRST: dict[str, list[tuple[re.Pattern[str], Code, str]]] = {}
for _firsts, _pattern, _code, _sentence in _FOREIGN:
    for _first in _firsts:
        _BY_FIRST.setdefault(_first, []).append((re.compile(_pattern), _code, _sentence))
#: These leave the bar's length as it would be without them.
_WITHOUT_LENGTH = frozenset({
    Code.SPACE,
    Code.HARD_SPACE,
    Code.DECORATION,
    Code.SLUR,
    Code.GRACE,
    Code.BARLINE,
    Code.COMMENT,
})
#: A rest that carries what only notes may: an accidental, octave marks or a tie.
_ODD_REST = re.compile(r"(?P<before>[\^_=]{1,4})?z(?P<length>\d*)(?P<octave>[,']+)?(?P<more>\d*)(?P<tie>-)?")
#: Text up to the next character that could begin a token again.
_UNREAD = re.compile(r"[\^_=]+(?![A-Ga-gz])|[^A-Ga-gzZ|\"\[(^_= \t%{!&xXyY<>]+|\[+|.", re.DOTALL)
_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Unexpected:
    """Text that is no token of the dialect: the rule it breaks, the index after it, and the sentence about it.

    `rest` is the length in units of a rest that was meant, or None; `hides_length` says that the bar's length can no
    longer be known.
    """

    code: Code
    end: int
    sentence: str
    rest: int | None = None
    hides_length: bool = True


def unexpected(text: str, at: int) -> Unexpected:
    """Return what stands at an index where no token of the dialect does."""
    for pattern, code, sentence in _BY_FIRST.get(text[at], ()):
        found = pattern.match(text, at)
        if found is None:
            continue
        shown = found[0] if len(found[0]) <= _SHOWN else found[0][: _SHOWN - 1] + "…"
        rest = int(found[0][1:5] or 1) if code is Code.INVISIBLE_REST and found[0][0] == "x" else None
        return Unexpected(code, found.end(), sentence.format(shown), rest, code not in _WITHOUT_LENGTH)
    found = _ODD_REST.match(text, at)
    if found is not None:
        units = int((found["length"] or found["more"] or "1")[:4])
        sentence = f"The rest {found[0][:_SHOWN]} has what only a note may have."
        return Unexpected(Code.REST_FORM, found.end(), sentence, units)
    found = _UNREAD.match(text, at)
    end = found.end() if found is not None else at + 1
    return Unexpected(Code.NOT_UNDERSTOOD, end, f"'{text[at : min(end, at + 12)]}' is not understood here.")
