"""How long a song may become: a ceiling from its words, and what is said about length and instrumentals.

The estimate is a rule of our own: syllables at a singing pace, a breath between lines, and bars without words
at the ends and between sections. It only sets a ceiling; the model ends the song itself.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.sampling import SEMANTIC_SAMPLING

#: Sung syllables a second, from slow to fast.
_PACE: Final = (1.6, 3.2)
#: Seconds of music without words: before and after the song, and between sections.
_ENDS: Final = 14.0
_BETWEEN: Final = 6.0
#: A section without words of its own (solo, interlude).
_WORDLESS: Final = 15.0
#: The ceiling is the slow estimate and this much more, so that it cuts nothing that was meant.
_SPARE: Final = 1.2
_STEP: Final = 5
#: A song below 30 s sounds bad (user-reports.md, row 87).
SHORTEST_SECONDS: Final = 30
LONGEST_SECONDS: Final = SEMANTIC_SAMPLING.max_tokens // FRAMES_PER_SECOND

_TAG: Final = re.compile(r"^\s*\[([^\]]*)\]\s*$")
_VOWELS: Final = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœаеёиоуыэюяіїєαεηιουω]+")
_VOICE_WORDS: Final = re.compile(
    r"\b(vocals?|singer|singing|voice|choir|rap|male|female|duet|chant|a ?cappella)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Length:
    """Seconds that the words suggest (from, to) and the ceiling in frames (25 a second)."""

    low_seconds: float
    high_seconds: float
    ceiling_frames: int
    instrumental: bool

    @property
    def expected_frames(self) -> int:
        """Frames of a song sung at a middling pace."""
        return round((self.low_seconds + self.high_seconds) / 2 * FRAMES_PER_SECOND)


def length_of(lyrics: str) -> Length:
    """The length that `lyrics` suggest. Without words the ceiling is the model's own."""
    sections, syllables = 0, 0
    wordless, open_section = 0, False
    for line in lyrics.splitlines():
        if _TAG.match(line):
            wordless += open_section
            sections, open_section = sections + 1, True
        elif line.strip():
            syllables += count_syllables(line)
            open_section = False
    wordless += open_section
    if not syllables:
        return Length(SHORTEST_SECONDS, LONGEST_SECONDS, SEMANTIC_SAMPLING.max_tokens, instrumental=True)
    rests = _ENDS + _BETWEEN * max(0, sections - 1) + _WORDLESS * wordless
    low, high = syllables / _PACE[1] + rests / 2, syllables / _PACE[0] + rests
    ceiling = math.ceil(high * _SPARE / _STEP) * _STEP
    seconds = min(max(ceiling, SHORTEST_SECONDS), LONGEST_SECONDS)
    return Length(min(low, seconds), min(high, seconds), seconds * FRAMES_PER_SECOND, instrumental=False)


def count_syllables(line: str) -> int:
    """About how many syllables are sung in a line: a CJK letter is one, else runs of vowels, one a word at least."""
    letters = sum(1 for char in line if _is_syllable(char))
    words = re.findall(r"[^\W\d_]+", "".join(" " if _is_syllable(char) else char for char in line.lower()))
    return letters + sum(max(1, len(_VOWELS.findall(word))) for word in words)


def length_notices(style: str, lyrics: str) -> tuple[str, ...]:
    """What to say of words and length before a render (user-reports.md, rows 80 and 81)."""
    length = length_of(lyrics)
    if not length.instrumental:
        seconds = length.ceiling_frames // FRAMES_PER_SECOND
        return (f"These words fill up to about {seconds} s; beyond that the model may sing on in words of its own.",)
    found = []
    if not lyrics.strip():
        found.append("The lyrics are empty: the song will be asked for without words. Write [Instrumental] to mean it.")
    found.append("Asked for without words, the model may still sing.")
    voice = _VOICE_WORDS.search(style)
    if voice is not None:
        found.append(f'The style speaks of "{voice[0]}"; take it out, or the song will be sung.')
    return tuple(found)


def ceiling_notice(before: int, after: int) -> str | None:
    """What a changed ceiling (frames) means for the same seed (user-reports.md, row 82); None if it is the same."""
    if before == after:
        return None
    return (
        f"The ceiling changed from {before // FRAMES_PER_SECOND} to {after // FRAMES_PER_SECOND} s: "
        "this will be a different take, even with the same seed."
    )


def _is_syllable(char: str) -> bool:
    name = unicodedata.name(char, "")
    return name.startswith(("CJK UNIFIED", "HANGUL SYLLABLE", "HIRAGANA LETTER", "KATAKANA LETTER"))
