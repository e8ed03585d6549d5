"""What a finished take says about its words: sections behind a cut, and a length that does not suit the words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.lyrics.length import section_lengths
from yue2_desktop.song.lyrics.outline import Section, read_lyrics

#: A take this many times shorter, or longer, than its words suggest is worth a word (user-reports.md, row 86).
_UNLIKELY: Final = 1.6
#: What a song without words is measured against is too loose for a warning.
_FEWEST_SYLLABLES: Final = 20


@dataclass(frozen=True)
class Cut:
    """Where a song stops that met its ceiling: the section it stops in, if any, and those that were not sung."""

    within: Section | None
    after: tuple[Section, ...]

    @property
    def sentence(self) -> str:
        """What is missing, by the names of the sections; empty where nothing is."""
        parts = []
        if self.within is not None:
            parts.append(f"stops in {_name(self.within)}")
        if self.after:
            parts.append(f"does not reach {', '.join(map(_name, self.after))}")
        return f"The song {' and '.join(parts)}." if parts else ""


def cut_after(
    lyrics: str, seconds: float, style: str = "", *, tempo: float | None = None, total_seconds: float | None = None
) -> Cut:
    """What a song that was cut after `seconds` leaves out (user-reports.md, row 75).

    Sections are laid out by the estimate of their lengths, stretched to `total_seconds` where the whole length is
    known, as from a score. A song that was cut has not sung all of its last section at least.
    """
    parts = section_lengths(read_lyrics(lyrics), style, tempo=tempo)
    if not parts:
        return Cut(None, ())
    expected = sum(part.expected_seconds for part in parts)
    scale = (expected if total_seconds is None else total_seconds) / expected if expected else 1.0
    start, within, after = 0.0, None, []
    for part in parts:
        end = start + part.expected_seconds * scale
        if start >= seconds:
            after.append(part.section)
        elif end > seconds:
            within = part.section
        start = end
    return Cut(within if within is not None or after else parts[-1].section, tuple(after))


def cut_at_fraction(lyrics: str, fraction: float, style: str = "", *, tempo: float | None = None) -> Cut:
    """As `cut_after`, for a song that was cut after `fraction` (0 to 1) of the tokens that it needed."""
    parts = section_lengths(read_lyrics(lyrics), style, tempo=tempo)
    return cut_after(lyrics, fraction * sum(part.expected_seconds for part in parts), style, tempo=tempo)


def words_notice(
    lyrics: str, seconds: float, style: str = "", *, tempo: float | None = None, score_seconds: float | None = None
) -> str | None:
    """What to say of a song of `seconds` that suits its words badly; None where it is likely or nothing can be said.

    Much shorter: words were skipped or hurried (user-reports.md, row 86). Much longer: sung on in other words (81).
    """
    parts = section_lengths(read_lyrics(lyrics), style, tempo=tempo)
    syllables = sum(part.syllables for part in parts)
    if syllables < _FEWEST_SYLLABLES or seconds <= 0:
        return None
    expected, high = sum(part.expected_seconds for part in parts), sum(part.high_seconds for part in parts)
    if score_seconds is not None and score_seconds > 0:
        expected = high = score_seconds
    about = f"{_time(seconds)} for {syllables} syllables, where about {_time(expected)} are usual"
    if expected > seconds * _UNLIKELY:
        return f"{about}: some of the words may not be sung."
    if seconds > high * _UNLIKELY:
        return f"{about}: the song may go on without words or in words of its own."
    return None


def _name(section: Section) -> str:
    return f"[{section.label}]" if section.label else "the opening words"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
