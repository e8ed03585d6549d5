"""What the words say before anything is rendered: syllables a line, length, and sentences on what is doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import require_context, require_singable
from yue2_desktop.song.lyrics.hyphens import load_hyphens
from yue2_desktop.song.lyrics.language import language_of
from yue2_desktop.song.lyrics.length import Length, length_notices, length_of
from yue2_desktop.song.lyrics.outline import read_lyrics
from yue2_desktop.song.lyrics.syllables import line_syllables
from yue2_desktop.song.sampling import ABC_SAMPLING


@dataclass(frozen=True)
class WordFacts:
    """`syllables` by the text of a line, so that they hold while lines are inserted above it.

    `too_long` is the sentence for lyrics above the limits, or empty; `notices` are sentences for those who ask.
    """

    syllables: Mapping[str, int]
    length: Length
    from_score: bool
    too_long: str
    notices: tuple[str, ...]

    @property
    def length_text(self) -> str:
        """The likely length as minutes and seconds, to 5 s where it is an estimate: `2:40`."""
        seconds = self.length.expected_seconds
        whole = round(seconds) if self.from_score else round(seconds / 5) * 5
        return clock(whole)


def word_facts(style: str, lyrics: str, score_seconds: float | None = None) -> WordFacts:
    """The facts of lyrics in a style; `score_seconds` is the length of the song's score, which is truer than words.

    Takes up to 2 s the first time that a language's hyphens are read: not for the window's thread.
    """
    outline = read_lyrics(lyrics)
    language = language_of(style, lyrics)
    counts = line_syllables(outline, language, load_hyphens(language))
    by_text = {
        lyrics[line.start : line.end]: count
        for line, count in zip(outline.lines, counts, strict=True)
        if count is not None
    }
    length = length_of(lyrics, style, score_seconds=score_seconds)
    return WordFacts(by_text, length, bool(score_seconds), too_long(lyrics), length_notices(style, lyrics))


def too_long(lyrics: str) -> str:
    """The sentence for lyrics that are longer than what is sung; empty for all others. Nothing is ever cut."""
    try:
        require_singable(lyrics)
    except Problem as problem:
        return problem.sentence[:1].upper() + problem.sentence[1:]
    return ""


def clock(seconds: float) -> str:
    """Seconds as `2:40`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


def context_sentence(cot: str, tokens: int, frames: int) -> str:
    """What to say where text of about so many tokens leaves the model no room for what it writes; else empty.

    `frames` is the ceiling of the song (25 a second), which is what follows where no score does.
    """
    try:
        if cot == "off":
            require_context("song", tokens, frames)
        else:
            require_context("score", tokens, ABC_SAMPLING.max_tokens)
    except Problem as problem:
        return problem.sentence
    return ""
