"""Mending tags: one by a click, or all that are sure to be wrong at once."""

from __future__ import annotations

from typing import Final

from yue2_desktop.song.lyrics.outline import TagProblem, read_lyrics

#: A line can hold a tag behind a tag behind a tag; each pass parts one.
_PASSES: Final = 50


def fixed(text: str, problem: TagProblem) -> str:
    """`text` with the replacement of one problem in its place."""
    return text[: problem.start] + problem.replacement + text[problem.end :]


def fixed_everywhere(text: str, *, unusual_too: bool = False) -> str:
    """`text` with all tags mended by which a section would be lost, and, if asked, the merely unusual ones.

    Doing it again changes nothing. Words are never touched, only what stands for a tag.
    """
    for _ in range(_PASSES):
        problems = [one for one in read_lyrics(text).problems if unusual_too or one.loses_section]
        if not problems:
            break
        for problem in sorted(problems, key=lambda one: one.start, reverse=True):
            text = fixed(text, problem)
    return text
