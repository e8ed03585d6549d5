"""How long a song may become: seconds and a ceiling from its words, and what is said about length and instrumentals.

The estimate is a rule of our own. Where the style or the score gives a tempo, a line takes the beats in which it is
sung without haste; else syllables are counted at a singing pace. Sections without words, and bars between them, come
on top. It only sets a ceiling; the model ends the song itself. No hyphenation dictionary is used here, so that the
ceiling, which changes the take (user-reports.md, row 82), does not depend on what is installed or loaded yet.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.lyrics.language import language_of
from yue2_desktop.song.lyrics.outline import Outline, Section, read_lyrics
from yue2_desktop.song.lyrics.pace import Pace, pace_of
from yue2_desktop.song.lyrics.syllables import count_syllables
from yue2_desktop.song.sampling import SEMANTIC_SAMPLING

#: Music without words, from short to long, in seconds where no tempo is known and in beats where it is:
#: before and after the song together; between two sections; a section of its own; such a one at an end.
_ENDS_S: Final = (7.0, 14.0)
_BETWEEN_S: Final = (3.0, 6.0)
_WORDLESS_S: Final = (7.5, 15.0)
_ENDS_BEATS: Final = (0, 32)
_BETWEEN_BEATS: Final = (0, 8)
_WORDLESS_BEATS: Final = (16, 32)
_EDGE_BEATS: Final = (8, 32)
_EDGES: Final = frozenset({"Intro", "Outro", "End"})
#: Words take up to this much more than their beats, for breath and held notes.
_BREATH: Final = 1.25
#: The ceiling is the slow estimate and this much more, so that it cuts nothing that was meant.
_SPARE: Final = 1.2
_STEP: Final = 5
#: Where between the two ends a song is expected: nearer to the short one, since the long one is to cut nothing.
_EXPECTED: Final = 1 / 3
#: A song below 30 s sounds bad (user-reports.md, row 87).
SHORTEST_SECONDS: Final = 30
LONGEST_SECONDS: Final = SEMANTIC_SAMPLING.max_tokens // FRAMES_PER_SECOND

_VOICE_WORDS: Final = re.compile(
    r"\b(vocals?|vocalist|singer|singing|sung|voices?|choir|rap|rapper|male|female|duet|chant|a ?cappella)\b"
    r"|人声|女声|男声",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Length:
    """Seconds that the words suggest (from, to) and the ceiling in frames (25 a second)."""

    low_seconds: float
    high_seconds: float
    ceiling_frames: int
    instrumental: bool

    @property
    def expected_seconds(self) -> float:
        """What is most likely of the two."""
        return self.low_seconds + (self.high_seconds - self.low_seconds) * _EXPECTED

    @property
    def expected_frames(self) -> int:
        """Frames of a song sung at a middling pace."""
        return round(self.expected_seconds * FRAMES_PER_SECOND)


@dataclass(frozen=True)
class SectionLength:
    """What one section takes: syllables sung in it, and seconds (from, to) with the music before and after it."""

    section: Section
    syllables: int
    low_seconds: float
    high_seconds: float

    @property
    def expected_seconds(self) -> float:
        """What is most likely of the two."""
        return self.low_seconds + (self.high_seconds - self.low_seconds) * _EXPECTED


def length_of(
    lyrics: str, style: str = "", *, tempo: float | None = None, score_seconds: float | None = None
) -> Length:
    """The length that `lyrics` suggest, in a style that may name language and tempo.

    `tempo` (beats a minute) is that of a score, `score_seconds` its length, which leaves nothing to be guessed.
    Without words and score the ceiling is the model's own.
    """
    parts = section_lengths(read_lyrics(lyrics), style, tempo=tempo)
    wordless = not any(part.syllables for part in parts)
    if score_seconds is not None and score_seconds > 0:
        return _within(score_seconds, score_seconds, wordless)
    if wordless:
        return Length(SHORTEST_SECONDS, LONGEST_SECONDS, SEMANTIC_SAMPLING.max_tokens, instrumental=True)
    return _within(sum(part.low_seconds for part in parts), sum(part.high_seconds for part in parts), False)


def section_lengths(outline: Outline, style: str = "", *, tempo: float | None = None) -> tuple[SectionLength, ...]:
    """What each section of the outline takes, in order; their sum is the song."""
    pace = pace_of(style, tempo)
    language = language_of(style, outline.text)
    between, ends = _gaps(pace)
    found = []
    for section in outline.sections:
        counts = [count_syllables(line.words, language) for line in section.lines]
        low, high = _words(counts, pace) if sum(counts) else _wordless(section, pace)
        if section.index > 0:
            low, high = low + between[0], high + between[1]
        edges = (section.index == 0) + (section.index == len(outline.sections) - 1)
        low, high = low + edges * ends[0] / 2, high + edges * ends[1] / 2
        found.append(SectionLength(section, sum(counts), low, high))
    return tuple(found)


def length_notices(style: str, lyrics: str) -> tuple[str, ...]:
    """What to say of words and length before a render (user-reports.md, rows 80 and 81)."""
    length = length_of(lyrics, style)
    if not length.instrumental:
        seconds = length.ceiling_frames // FRAMES_PER_SECOND
        return (f"These words fill up to about {seconds} s; beyond that the model may sing on in words of its own.",)
    found = []
    if not lyrics.strip():
        found.append("The lyrics are empty: the song will be asked for without words. Write [Instrumental] to mean it.")
    found.append("Asked for without words, the model may still sing.")
    voice = voice_word(style)
    if voice is not None:
        found.append(f'The style speaks of "{voice}"; take it out, or the song will be sung.')
    return tuple(found)


def voice_word(style: str) -> str | None:
    """The first word of `style` that asks for a voice; None if none does."""
    found = _VOICE_WORDS.search(style)
    return None if found is None else found[0]


def ceiling_notice(before: int, after: int) -> str | None:
    """What a changed ceiling (frames) means for the same seed (user-reports.md, row 82); None if it is the same."""
    if before == after:
        return None
    return (
        f"The ceiling changed from {before // FRAMES_PER_SECOND} to {after // FRAMES_PER_SECOND} s: "
        "this will be a different take, even with the same seed."
    )


def _within(low: float, high: float, instrumental: bool) -> Length:
    ceiling = math.ceil(high * _SPARE / _STEP) * _STEP
    seconds = min(max(ceiling, SHORTEST_SECONDS), LONGEST_SECONDS)
    return Length(min(low, seconds), min(high, seconds), seconds * FRAMES_PER_SECOND, instrumental)


def _gaps(pace: Pace) -> tuple[tuple[float, float], tuple[float, float]]:
    if pace.tempo is None:
        return _BETWEEN_S, _ENDS_S
    return _times(_BETWEEN_BEATS, pace), _times(_ENDS_BEATS, pace)


def _words(counts: list[int], pace: Pace) -> tuple[float, float]:
    if pace.tempo is None:
        return sum(counts) / pace.fast, sum(counts) / pace.slow
    beats = sum(pace.beats_of_line(count) for count in counts)
    return pace.seconds(beats), pace.seconds(beats * _BREATH)


def _wordless(section: Section, pace: Pace) -> tuple[float, float]:
    if pace.tempo is None:
        return _WORDLESS_S
    name = section.tag.name if section.tag is not None else None
    return _times(_EDGE_BEATS if name is not None and name.tag in _EDGES else _WORDLESS_BEATS, pace)


def _times(beats: tuple[float, float], pace: Pace) -> tuple[float, float]:
    return pace.seconds(beats[0]), pace.seconds(beats[1])
