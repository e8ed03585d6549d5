"""What the words say before anything is rendered: syllables a line, length, and sentences on what is doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import require_context, require_singable
from yue2_desktop.song.lyrics.hyphens import load_hyphens
from yue2_desktop.song.lyrics.language import language_of
from yue2_desktop.song.lyrics.length import Length, length_notices, length_of, voice_word
from yue2_desktop.song.lyrics.outline import LineKind, read_lyrics
from yue2_desktop.song.lyrics.syllables import line_syllables
from yue2_desktop.song.sampling import ABC_SAMPLING


@dataclass(frozen=True)
class WordFacts:
    """`syllables` by the text of a line, so that they hold while lines are inserted above it.

    `notices` are sentences for those who ask; `wordless` is said unasked where sections, but no words, are to be sung
    (user-reports.md, row 80), and `has_voice` tells that the style asks for a voice then.
    """

    syllables: Mapping[str, int]
    length: Length
    from_score: bool
    notices: tuple[str, ...]
    wordless: str
    has_voice: bool

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
    notices = length_notices(style, lyrics)
    # Remarks are what a structure has where its words go: nobody means to leave it at that.
    wordless = (
        bool(outline.sections)
        and length.instrumental
        and all(line.kind is not LineKind.COMMENT for line in outline.lines)
    )
    return WordFacts(
        by_text, length, bool(score_seconds), notices,
        wordless=" ".join(notices) if wordless else "", has_voice=wordless and voice_word(style) is not None,
    )  # fmt: skip


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


def context_sentence(tokens: int, frames: int, *, writes_score: bool) -> str:
    """What to say where text of so many tokens leaves the model no room for what it writes; else empty.

    `frames` is the ceiling of the song (25 a second), which is what follows where no score does.
    """
    try:
        if not writes_score:
            require_context("song", tokens, frames)
        else:
            require_context("score", tokens, ABC_SAMPLING.max_tokens)
    except Problem as problem:
        return problem.sentence
    return ""
