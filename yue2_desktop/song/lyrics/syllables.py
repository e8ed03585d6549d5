"""How many syllables are sung in a line, for every script, near enough to see that a line is too long."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Final

from yue2_desktop.song.lyrics.hyphens import Hyphens
from yue2_desktop.song.lyrics.outline import Outline
from yue2_desktop.song.lyrics.vowels import vowel_syllables, without_mute

#: Letters with their signs: Python's \w leaves out the vowel signs of many scripts.
_LETTER: Final = r"[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0eff\u1000-\u109f\u1780-\u17d3]"
_WORD: Final = re.compile(rf"(?:{_LETTER})+(?:'(?:{_LETTER})+)*")
#: Kana that make one syllable with the one before.
_SMALL_KANA: Final = frozenset("ゃゅょぁぃぅぇぉゎャュョァィゥェォヮ")
_BY_CHARACTER: Final = (
    "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HANGUL SYLLABLE", "HIRAGANA LETTER", "KATAKANA LETTER",
    "KATAKANA-HIRAGANA PROLONGED", "HALFWIDTH KATAKANA LETTER", "BOPOMOFO",
)  # fmt: skip
#: Scripts of which each consonant carries a vowel unless a sign takes it away (General_Category Mn, class 9).
_ABUGIDAS: Final = (
    "DEVANAGARI", "BENGALI", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM", "ORIYA", "SINHALA", "TAMIL", "TELUGU",
    "KHMER", "MYANMAR",
)  # fmt: skip
_VIRAMA_CLASS: Final = 9
#: Scripts that leave vowels out: about two letters a syllable.
_ABJADS: Final = ("ARABIC", "HEBREW", "SYRIAC")
#: Languages whose songs have Latin words of another language, mostly English.
_OTHER_SCRIPT: Final = frozenset({
    "zh", "yue", "ja", "ko", "th", "hi", "ta", "te", "bn", "ar", "he", "fa", "ru", "uk", "be", "bg", "sr", "el",
})  # fmt: skip
#: Scripts without spaces and with vowels around consonants: about three signs a syllable.
_SPACELESS: Final = ("THAI", "LAO")


@lru_cache(maxsize=4096)
def count_syllables(line: str, language: str | None = None, hyphens: Hyphens | None = None) -> int:
    """About how many syllables are sung in `line`; 0 for a line without letters and digits.

    A Han character, a Hangul block and a kana is one; in other scripts vowels tell, by the spelling of `language`
    (ISO 639) where there are rules for it, and a hyphenation dictionary where one is given. A word has one at least,
    a digit is one. Usually within one of the true count for a line of verse.
    """
    text = unicodedata.normalize("NFC", line)
    count = 0
    letters: list[str] = []
    for char in text:
        if char.isdigit() or _is_whole(char):
            count += char not in _SMALL_KANA
            letters.append(" ")
        else:
            letters.append(char)
    words = _WORD.findall("".join(letters).casefold().replace("’", "'"))
    return count + sum(_in_word(word, language, hyphens) for word in words)


def line_syllables(
    outline: Outline, language: str | None = None, hyphens: Hyphens | None = None
) -> tuple[int | None, ...]:
    """For each line of the outline its syllables; None for lines in which nothing is sung."""
    return tuple(count_syllables(line.words, language, hyphens) if line.words else None for line in outline.lines)


def _is_whole(char: str) -> bool:
    return char > "\u1100" and unicodedata.name(char, "").startswith(_BY_CHARACTER)


def _in_word(word: str, language: str | None, hyphens: Hyphens | None) -> int:
    script = unicodedata.name(word[0], "")
    if script.startswith(_ABUGIDAS):
        return max(1, sum(_inherent(char) for char in word))
    if script.startswith(_ABJADS):
        return max(1, round(sum(char.isalpha() for char in word) / 2))
    if script.startswith(_SPACELESS):
        return max(1, round(len(word) / 3))
    if language == "vi":
        return 1
    if language in _OTHER_SCRIPT and script.startswith("LATIN"):
        language, hyphens = None, None
    heard = without_mute(word, language)
    return max(1, sum(vowel_syllables(part, language) for part in _parts(heard, word, hyphens)))


def _inherent(char: str) -> int:
    if unicodedata.category(char) == "Lo":
        return 1
    return -1 if unicodedata.combining(char) == _VIRAMA_CLASS else 0


def _parts(heard: str, word: str, hyphens: Hyphens | None) -> list[str]:
    """`heard` parted where the dictionary parts the whole `word`."""
    if hyphens is None:
        return [heard]
    places = [0, *(place for place in hyphens(word) if place < len(heard)), len(heard)]
    return [heard[start:end] for start, end in pairwise(places)]
