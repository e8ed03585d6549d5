"""Lyrics as they are read: what each line is, which sections there are, and which tags are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from yue2_desktop.song.lyrics.section_names import HIDDEN
from yue2_desktop.song.lyrics.tags import Tag, inner_tags, tag_of


class LineKind(StrEnum):
    """What a line is: `comment` lines (`# ...`) stay in the document and are never sung."""

    TAG = "tag"
    WORDS = "words"
    COMMENT = "comment"
    BLANK = "blank"


@dataclass(frozen=True)
class Line:
    """One line: `start`..`end` are offsets in the text, without the line end that follows.

    `tag` is there for kind TAG; its own offsets are in the line. `words` is what is sung in the line: for a tag
    with words behind it those words, for tags and comments otherwise nothing. `stray` are tags in the midst of words.
    """

    index: int
    start: int
    end: int
    kind: LineKind
    words: str = ""
    tag: Tag | None = None
    stray: tuple[Tag, ...] = ()


@dataclass(frozen=True)
class TagProblem:
    """A tag that is not as the model knows it: place in the text, sentence, and what to put there instead."""

    start: int
    end: int
    sentence: str
    replacement: str
    loses_section: bool


@dataclass(frozen=True)
class Section:
    """A part of the lyrics from its tag to the next one; `start`..`end` are offsets in the text.

    `label` is the tag's text; empty for words before the first tag. `lines` are the lines that are sung.
    """

    index: int
    label: str
    start: int
    end: int
    tag: Tag | None
    lines: tuple[Line, ...]

    @property
    def has_words(self) -> bool:
        """Whether anything is sung in it."""
        return bool(self.lines)


@dataclass(frozen=True)
class Outline:
    """A text of lyrics, line by line and by section."""

    text: str
    lines: tuple[Line, ...]
    sections: tuple[Section, ...]
    problems: tuple[TagProblem, ...]

    @property
    def has_words(self) -> bool:
        """Whether anything is sung at all."""
        return any(section.has_words for section in self.sections)

    def section_at(self, offset: int) -> Section | None:
        """The section that holds the character at `offset`, such as the cursor's; None in a text without any."""
        for section in reversed(self.sections):
            if section.start <= offset:
                return section
        return self.sections[0] if self.sections else None


def read_lyrics(text: str) -> Outline:
    """The outline of `text`. Never raises; every line end that Python knows counts."""
    lines: list[Line] = []
    problems: list[TagProblem] = []
    at = 0
    for index, whole in enumerate(text.splitlines(keepends=True)):
        content = whole.splitlines()[0] if whole else ""
        line = Line(index, at, at + len(content), *_reading(content))
        lines.append(line)
        problems.extend(
            TagProblem(at + tag.start, at + tag.end, tag.sentence, tag.fix, tag.fault.loses_section)
            for tag in (line.tag, *line.stray)
            if tag is not None and tag.fault is not None and tag.fix is not None
        )
        at += len(whole)
    return Outline(text, tuple(lines), _sections(lines, len(text)), tuple(problems))


def is_comment(line: str) -> bool:
    """Whether a line is a remark: a number sign that ends the line, or has a space or another one behind it.

    `#1 in the charts` and `#home` are words; `# Chorus` names a section and is a (wrong) tag.
    """
    seen = line.strip(f" \t\u3000{HIDDEN}")
    return seen.startswith("#") and (len(seen) == 1 or seen[1] in "# \t\u3000") and tag_of(line) is None


# While somebody types, all lines but one are those that were read at the last keystroke.
@lru_cache(maxsize=4096)
def _reading(content: str) -> tuple[LineKind, str, Tag | None, tuple[Tag, ...]]:
    if not content.strip(f" \t\u3000\u00a0{HIDDEN}"):
        return LineKind.BLANK, "", None, ()
    if is_comment(content):
        return LineKind.COMMENT, "", None, ()
    tag = tag_of(content)
    if tag is None:
        return LineKind.WORDS, content.strip(f" \t{HIDDEN}"), None, tuple(inner_tags(content))
    return LineKind.TAG, content[tag.end :].strip(f" \t{HIDDEN}"), tag, tuple(inner_tags(content, tag.end))


def _sections(lines: Sequence[Line], length: int) -> tuple[Section, ...]:
    starts = [line for line in lines if line.tag is not None]
    first = next((line for line in lines if line.kind in {LineKind.WORDS, LineKind.TAG}), None)
    opening = [] if first is None or first.tag is not None else [first]
    sections = []
    heads = [*opening, *starts]
    for number, head in enumerate(heads):
        following = heads[number + 1] if number + 1 < len(heads) else None
        last = len(lines) if following is None else following.index
        sung = tuple(line for line in lines[head.index : last] if line.words)
        label = "" if head.tag is None else head.tag.label
        end = length if following is None else following.start
        sections.append(Section(number, label, head.start, end, head.tag, sung))
    return tuple(sections)
