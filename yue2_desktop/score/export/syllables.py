"""Words to syllables to be laid under notes: cut as a dictionary hyphenates them, best effort; CJK by character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from yue2_desktop.song.lyrics.hyphens import Hyphens, load_hyphens
from yue2_desktop.song.lyrics.language import guessed_language
from yue2_desktop.song.lyrics.outline import read_lyrics

_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


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


def syllables(lyrics: str, language: str | None = None) -> tuple[Syllable, ...]:
    """Return the syllables of a song's words in order, without tags and remarks.

    `language` is an ISO 639 code; without one the words tell. Where there is no dictionary for it, words stay whole.
    """
    code = (language or "").replace("-", "_").partition("_")[0].lower() or guessed_language(lyrics)
    hyphens = load_hyphens(code)
    lines = read_lyrics(lyrics).lines
    return tuple(one for line in lines for token in (line.words or "").split() for one in _of_token(token, hyphens))


def _of_token(token: str, hyphens: Hyphens | None) -> Iterator[Syllable]:
    pieces: list[tuple[str, bool]] = []  # the text, and whether it goes on a word that began before
    for part in _scripts(token):
        if _is_wide(part[0]):
            pieces.extend((char, False) for char in part)
        else:
            pieces.extend((piece, at > 0) for at, piece in enumerate(_cut(part, hyphens)))
    sung = _with_signs(pieces)
    for at, (text, continues) in enumerate(sung):
        yield Syllable(text, continues, at + 1 < len(sung) and sung[at + 1][1])


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _scripts(token: str) -> list[str]:
    """Split a token where it goes from wide to other characters and back."""
    parts: list[str] = []
    for char in token:
        if parts and _is_wide(char) == _is_wide(parts[-1][0]):
            parts[-1] += char
        else:
            parts.append(char)
    return parts


def _with_signs(pieces: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Join what is no letter or digit to its neighbour: nobody sings a comma."""
    joined: list[tuple[str, bool]] = []
    before = ""
    for text, continues in pieces:
        if any(char.isalnum() for char in text):
            joined.append((before + text, continues))
            before = ""
        elif joined:
            joined[-1] = (joined[-1][0] + text, joined[-1][1])
        else:
            before += text
    return joined


def _cut(part: str, hyphens: Hyphens | None) -> list[str]:
    word = _LETTERS.search(part)
    if word is None or hyphens is None:
        return [part]
    places = [word.start() + place for place in hyphens(word[0].lower())]
    return [part[start:end] for start, end in pairwise([0, *places, len(part)])]
