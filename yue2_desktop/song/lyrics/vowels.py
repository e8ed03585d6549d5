"""Vowels as syllables, language by language: how many a run of vowel letters is sung as, and which are mute.

The rules are the plain ones of each language's spelling; sung words bend them, so that counts are near, not exact.
"""

from __future__ import annotations

import re
from typing import Final

_LATIN: Final = "aeiouyàáâãäåāăąæèéêëēėęěìíîïīįıòóôõöøōőœùúûüūůűųýÿ"
_VOWELS: Final = f"{_LATIN}аеёиоуыэюяіїєўαεηιουωάέήίόύώϊϋΐΰ"
RUN: Final = re.compile(f"[{_VOWELS}]+")

#: Languages in which every vowel letter is a syllable (those of Cyrillic script are added by the script).
_EACH: Final = frozenset({
    "hu", "tr", "sr", "hr", "sl", "bg", "ru", "uk", "be", "sk", "cs", "eo", "la", "sw", "zu", "ja",
})  # fmt: skip
#: Letters that are one syllable together; every other vowel of a run is one of its own.
_TOGETHER: Final = {
    "de": "ie ei ai au eu äu aa ee oo ey ay oi",
    "nl": "aai ooi oei eeu ieu ie ei ij ui ou au oe eu aa ee oo uu",
    "pl": "ia ie io iu ió ią ię au eu",
    "fi": "ai ei oi ui yi äi öi au eu iu ou ey iy äy öy ie uo yö aa ee ii oo uu yy ää öö",
    "et": "ai ei oi ui äi öi au ou ea oa aa ee ii oo uu ää öö õõ üü õi",
    "id": "ai au oi",
    "cs": "ou au eu",
    "sk": "ia ie iu ou au",
    "la": "ae oe au eu",
    "el": "αι ει οι υι αυ ευ ηυ ου αί εί οί ού αύ εύ ια ιά ιο ιό ιε ιέ",
}
_TOGETHER_RE: Final = {
    code: re.compile("|".join(sorted(pairs.split(), key=len, reverse=True)) + "|.") for code, pairs in _TOGETHER.items()
}
#: Open vowels stand alone in these; i and u (without an accent) lean on them.
_OPEN: Final = frozenset({"es", "it", "pt", "ca", "gl"})
_OPEN_OR_ACCENTED: Final = re.compile("[ãõ][eo]|[aeoáéóàèòâêôíúìùü]")
_FRENCH_SPLIT: Final = re.compile("(?<=.)(?=[éèëïü])|(?<=é)(?=[aiou])")
#: r and l carry a syllable between consonants.
_SYLLABIC: Final = {
    code: re.compile(rf"(?<=[^{_VOWELS}\W])[{letters}](?=[^{_VOWELS}\W]|$)")
    for code, letters in {"cs": "rl", "sk": "rlŕĺ", "hr": "r", "sr": "rр", "sl": "r"}.items()
}
#: Endings of English words in which the e is not heard: time, makes, loved, love's.
_ENGLISH_MUTE: Final = re.compile(
    r"(?<=[^aeiouy])e$|(?<=[^aeiouysxzcgh])es$|(?<=[^aeiouytd])ed$|(?<=[^aeiouysxzcgh])e(?='s$)"
)
#: But in these it is: table, little.
_ENGLISH_LE: Final = re.compile(r"[^aeiouylr]les?$")
_FRENCH_MUTE: Final = re.compile(r"es?$")


def vowel_syllables(part: str, language: str | None) -> int:
    """How many syllables the vowels of `part` (a word or a piece of one, small letters) are; 0 if it has none."""
    count = sum(_in_run(run, language) for run in RUN.findall(part))
    syllabic = _SYLLABIC.get(language or "")
    return count + (len(syllabic.findall(part)) if syllabic else 0)


def without_mute(word: str, language: str | None) -> str:
    """`word` (small letters) without a last vowel that is written but not sung, as in English `time`."""
    if language in {"en", None}:
        if _ENGLISH_LE.search(word):
            return word
        shorter = _ENGLISH_MUTE.sub("", word)
    elif language == "fr":
        shorter = _FRENCH_MUTE.sub("", word)
    else:
        return word
    return shorter if RUN.search(shorter) else word


def _in_run(run: str, language: str | None) -> int:
    if language in _OPEN:
        return max(1, len(_OPEN_OR_ACCENTED.findall(run)))
    if language in _TOGETHER_RE:
        return len(_TOGETHER_RE[language].findall(run))
    if language in _EACH or run[0] >= "\u0400":
        return len(run)
    if language == "fr":
        return len(_FRENCH_SPLIT.split(run))
    return 1
