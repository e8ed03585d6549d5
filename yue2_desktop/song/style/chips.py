"""The style as chips and as text: what stands between commas, known to the vocabulary or free."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.lyrics.pace import tempo_in
from yue2_desktop.song.style.vocabulary import CATEGORIES, Vocabulary, folded

SEPARATOR: Final = ", "
_PIECE: Final = re.compile(r"[^,，、;；\n\r]+")
_BARE_TEMPO: Final = re.compile(r"\d{2,3}(?:\.\d+)?\s*bpm", re.IGNORECASE)
_WORDS_IN_FREE_TEXT: Final = 8


@dataclass(frozen=True)
class Chip:
    """One piece of a style: its text as written, and `start`..`end` of it in the style.

    `category` is that of the vocabulary; for free text that of a term inside it, or None. `known` says that the
    whole piece is a term.
    """

    text: str
    start: int
    end: int
    category: str | None = None
    known: bool = False


def chips_of(style: str, vocabulary: Vocabulary) -> tuple[Chip, ...]:
    """The chips of a style, in order; empty pieces are left out, and nothing of the text is changed."""
    found = []
    for piece in _PIECE.finditer(style):
        text = piece[0].strip()
        if text:
            start = piece.start() + piece[0].index(text)
            category, known = _category(text, vocabulary)
            found.append(Chip(text, start, start + len(text), category, known))
    return tuple(found)


def style_of(texts: Iterable[str]) -> str:
    """The style that pieces make: in order, with a comma and a space between them."""
    return SEPARATOR.join(text.strip() for text in texts if text.strip())


def with_piece(style: str, text: str, vocabulary: Vocabulary) -> str:
    """`style` with a piece more, where styles have it: language, genre, mood, instruments, voice, tempo.

    It stands behind the last chip of its own or an earlier category. A tempo in beats takes the place of the one that
    is there; a piece that is there already changes nothing.
    """
    text = text.strip()
    chips = chips_of(style, vocabulary)
    if not text or any(folded(chip.text) == folded(text) for chip in chips):
        return style
    texts = [chip.text for chip in chips]
    if _is_tempo(text):
        for index, chip in enumerate(chips):
            if _is_tempo(chip.text):
                return style_of([*texts[:index], text, *texts[index + 1 :]])
    category, _ = _category(text, vocabulary)
    place = _place(chips, category)
    return style_of([*texts[:place], text, *texts[place:]])


def without_piece(style: str, chip: Chip, vocabulary: Vocabulary) -> str:
    """`style` without one of its chips."""
    return style_of(other.text for other in chips_of(style, vocabulary) if other.start != chip.start)


def without_voices(style: str, vocabulary: Vocabulary) -> str:
    """`style` without the chips that ask for a voice, for an instrumental (user-reports.md, row 80)."""
    kept = [chip.text for chip in chips_of(style, vocabulary) if chip.category != "voice" or _is_wordless(chip.text)]
    return style_of(kept)


def missing_category(chips: Sequence[Chip]) -> str | None:
    """The first category of which a style has no chip yet; None if it has all."""
    present = {chip.category for chip in chips}
    return next((category for category in CATEGORIES if category not in present), None)


def _place(chips: Sequence[Chip], category: str | None) -> int:
    if category is None:
        return len(chips)
    rank = CATEGORIES.index(category)
    earlier = [
        index
        for index, chip in enumerate(chips)
        if chip.category is not None and CATEGORIES.index(chip.category) <= rank
    ]
    return earlier[-1] + 1 if earlier else 0


def _category(text: str, vocabulary: Vocabulary) -> tuple[str | None, bool]:
    term = vocabulary.find(text)
    if term is not None:
        return term.category, True
    if _is_tempo(text):
        return "tempo", True
    words = folded(text).split(" ")
    # The longest term inside decides, the last of equals: "gentle female vocal", "dark warm piano".
    for length in range(min(len(words), _WORDS_IN_FREE_TEXT) - 1, 0, -1):
        for start in range(len(words) - length, -1, -1):
            inner = vocabulary.by_name.get(" ".join(words[start : start + length]))
            if inner is not None:
                return inner.category, False
    return ("tempo", False) if tempo_in(text) is not None else (None, False)


def _is_tempo(text: str) -> bool:
    return _BARE_TEMPO.fullmatch(text.strip()) is not None and tempo_in(text) is not None


def _is_wordless(text: str) -> bool:
    plain = folded(text)
    return plain == "instrumental" or plain.startswith("no ")
