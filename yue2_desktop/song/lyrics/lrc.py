"""Lyrics with times (.lrc): the words in the order in which they are sung, and the title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_STAMP: Final = re.compile(r"\s*\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]")
_WORD_STAMP: Final = re.compile(r"<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>\s?")
_FIELD: Final = re.compile(
    r"\s*\[\s*(ti|ar|al|au|by|offset|length|re|ve|la|lr|tool|id|hash|sign|qq|total|#)\s*:(.*)\]\s*", re.IGNORECASE
)


@dataclass(frozen=True)
class TimedLyrics:
    """The words, a line each, and the title that the file gives (empty where it gives none)."""

    text: str
    title: str


def is_lrc(text: str) -> bool:
    """Whether most lines of words have a time before them."""
    lines = [line for line in text.splitlines() if line.strip() and not _FIELD.fullmatch(line)]
    return bool(lines) and sum(bool(_STAMP.match(line)) for line in lines) * 2 >= len(lines)


def read_lrc(text: str) -> TimedLyrics:
    """The words of an .lrc text without times and fields.

    A line with several times is sung at each of them and stands as often; lines without a time stay behind the one
    they follow.
    """
    title = ""
    timed: list[tuple[float, int, str]] = []
    at = 0.0
    for number, line in enumerate(text.splitlines()):
        field = _FIELD.fullmatch(line)
        if field is not None:
            if field[1].casefold() == "ti":
                title = field[2].strip()
            continue
        times, words = _split(line)
        at = times[0] if times else at
        timed.extend((time, number, words) for time in times or [at])
    timed.sort(key=lambda entry: entry[:2])
    lines = [words for _, _, words in timed]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return TimedLyrics("\n".join(lines) + "\n" if lines else "", title)


def _split(line: str) -> tuple[list[float], str]:
    times = []
    at = 0
    while found := _STAMP.match(line, at):
        fraction = found[3] or "0"
        times.append(int(found[1]) * 60 + int(found[2]) + int(fraction) / 10 ** len(fraction))
        at = found.end()
    return times, _WORD_STAMP.sub("", line[at:]).strip()
