"""What a half-typed piece of a style may become: terms by prefix, by a word in them, and by likeness."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.style.vocabulary import CATEGORIES, Term, Vocabulary, folded

_TEMPO: Final = re.compile(r"\d{2,3}")
_TEMPO_RANGE: Final = range(30, 301)
#: Likeness is looked for, which takes some milliseconds, only where so few terms fit as typed.
_FEW: Final = 3
#: A typed word may differ from a term's by this many letters, once it is so long.
_TYPOS: Final = ((8, 2), (4, 1))


@dataclass(frozen=True)
class Suggestion:
    """A term to offer. `name` is the name of it that fits what was typed, `start`..`end` the part of it that does.

    What is put into the style is `term.text`; `rank` orders suggestions, smaller first.
    """

    term: Term
    name: str
    start: int
    end: int
    rank: int


def complete(
    typed: str, vocabulary: Vocabulary, *, taken: Iterable[str] = (), first: str | None = None, limit: int = 8
) -> tuple[Suggestion, ...]:
    """The best `limit` terms for what was typed, best first.

    Order: the whole name, its beginning, the beginning of a word in it, a part of it, its beginning with a slip of
    the finger. Among equals those of the category `first` come first, then shorter names. Nothing typed offers the
    terms of `first`. `taken` are the pieces that the style has already.
    """
    wanted = folded(typed)
    gone = {folded(text) for text in taken}
    if not wanted:
        offered = [term for term in vocabulary.terms if term.category == (first or CATEGORIES[0])]
        return tuple(Suggestion(term, term.text, 0, 0, 0) for term in offered if folded(term.text) not in gone)[:limit]
    found: dict[str, Suggestion] = {}
    for plain, name, term in vocabulary.names:
        match = _match(wanted, plain, name, term)
        if match is not None:
            _keep_better(found, match)
    if len(found) < _FEW:
        for plain, name, term in vocabulary.names:
            if term.text not in found and _is_like(wanted, plain):
                found[term.text] = Suggestion(term, name, 0, 0, 4)
    for tempo in _tempo(wanted, vocabulary):
        _keep_better(found, tempo)
    fresh = [one for one in found.values() if folded(one.term.text) not in gone]
    return tuple(sorted(fresh, key=lambda one: (one.rank, one.term.category != first, len(one.name)))[:limit])


def _keep_better(found: dict[str, Suggestion], match: Suggestion) -> None:
    before = found.get(match.term.text)
    if before is None or match.rank < before.rank:
        found[match.term.text] = match


def _match(wanted: str, plain: str, name: str, term: Term) -> Suggestion | None:
    if plain == wanted:
        return Suggestion(term, name, 0, len(name), 0)
    if plain.startswith(wanted):
        return Suggestion(term, name, 0, len(wanted), 1)
    at = plain.find(f" {wanted}")
    if at >= 0:
        return Suggestion(term, name, at + 1, at + 1 + len(wanted), 2)
    at = plain.find(wanted)
    if at >= 0 and len(wanted) > 1:
        return Suggestion(term, name, at, at + len(wanted), 3)
    return None


def _is_like(wanted: str, plain: str) -> bool:
    """Whether the name or a word in it begins nearly as typed; the first letter must be right, or the second one."""
    allowed = next((typos for length, typos in _TYPOS if len(wanted) >= length), 0)
    if not allowed:
        return False
    starts = [0, *(at + 1 for at, letter in enumerate(plain) if letter == " ")]
    pieces = [plain[start : start + len(wanted) + allowed] for start in starts]
    return any(
        piece and (piece[0] == wanted[0] or piece[1:2] == wanted[1]) and _begins_like(wanted, piece, allowed)
        for piece in pieces
    )


def _begins_like(wanted: str, name: str, allowed: int) -> bool:
    """Whether some beginning of `name` differs from `wanted` in at most `allowed` letters.

    One letter is a wrong, a missing, a needless one, or two in the wrong order.
    """
    before: list[int] | None = None
    row = list(range(len(name) + 1))
    for i, letter in enumerate(wanted, 1):
        following = [i]
        for j, other in enumerate(name, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (letter != other))
            if before is not None and j > 1 and letter == name[j - 2] and wanted[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > allowed:
            return False
        before, row = row, following
    return min(row) <= allowed


def _tempo(wanted: str, vocabulary: Vocabulary) -> list[Suggestion]:
    """A number is a tempo, whether or not the vocabulary has it."""
    found = _TEMPO.fullmatch(wanted)
    text = f"{wanted} BPM"
    if found is None or int(wanted) not in _TEMPO_RANGE or vocabulary.find(text) is not None:
        return []
    return [Suggestion(Term(text, "tempo"), text, 0, len(wanted), 1)]
