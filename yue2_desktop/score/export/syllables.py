"""Words to syllables: lines of lyrics cut as a singer cuts them, best effort; CJK by character."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import pyphen

_TAG = re.compile(r"\[[^\]\n]*\]")
_SPACED = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Syllable:
    """One syllable: its text, and whether the word began before it or goes on after it."""

    text: str
    continues: bool
    goes_on: bool

    @property
    def syllabic(self) -> str:
        """MusicXML's word for its place in the word."""
        if self.continues:
            return "middle" if self.goes_on else "end"
        return "begin" if self.goes_on else "single"


def syllables(lyrics: str, language: str = "en_US") -> tuple[Syllable, ...]:
    """Return the syllables of a song's words in order; tags in brackets, such as `[Verse]`, are left out.

    `language` is one of pyphen's; an unknown one falls back to its base language, else words stay whole.
    """
    found: list[Syllable] = []
    for token in _SPACED.findall(_TAG.sub(" ", lyrics)):
        for part in _scripts(token):
            pieces = list(part) if _is_wide(part[0]) else _cut(part, language)
            pieces = _joined_marks(pieces)
            wide = _is_wide(part[0])
            last = len(pieces) - 1
            found.extend(
                Syllable(piece, at > 0 and not wide, at < last and not wide) for at, piece in enumerate(pieces)
            )
    return tuple(found)


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _scripts(token: str) -> list[str]:
    """Split a token where it goes from wide to other characters and back; signs stay with what they follow."""
    parts: list[str] = []
    for char in token:
        if parts and (_is_wide(char) == _is_wide(parts[-1][0]) or not char.isalnum()):
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def _joined_marks(pieces: list[str]) -> list[str]:
    """Join signs that are no letters to the piece before them: nobody sings a comma."""
    joined: list[str] = []
    for piece in pieces:
        if joined and not any(char.isalnum() for char in piece):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _cut(word: str, language: str) -> list[str]:
    hyphenator = _hyphenator(language)
    if hyphenator is None:
        return [word]
    return str(hyphenator.inserted(word, hyphen="\u00ad")).split("\u00ad")


@lru_cache(maxsize=8)
def _hyphenator(language: str) -> pyphen.Pyphen | None:
    known = pyphen.language_fallback(language)
    return pyphen.Pyphen(lang=known) if known else None
