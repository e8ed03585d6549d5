"""Where a new section goes in lyrics, and what its tag is called there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.song.lyrics.outline import LineKind, Outline

#: The sections that songs have most, and the others, as tags have them (spec/yue2.md, section 7).
COMMON: Final = ("Verse", "Pre-Chorus", "Chorus", "Bridge")
OTHERS: Final = (
    "Intro", "Post-Chorus", "Hook", "Rap", "Interlude", "Instrumental", "Solo", "Build-Up", "Drop", "Outro",
)  # fmt: skip
#: Sections whose words differ each time, so that they are counted.
_COUNTED: Final = frozenset({"Verse"})


@dataclass(frozen=True)
class Insertion:
    """`text` goes in place of the characters `start`..`end` of the lyrics; the cursor goes behind it."""

    start: int
    end: int
    text: str


def tag_label(outline: Outline, name: str) -> str:
    """The tag for one more section `name`: the first verse is `Verse`, or `Verse 1`; those after it count up."""
    if name not in _COUNTED:
        return name
    names = [section.tag.name for section in outline.sections if section.tag is not None and section.tag.name]
    same = [one for one in names if one.tag == name and not one.quality]
    numbers = [int(one.number) for one in same if one.number.isdecimal()]
    highest = max([*numbers, len(same) if len(same) > len(numbers) else 0], default=0)
    return f"{name} {highest + 1}" if highest else name


def insertion_of(outline: Outline, name: str, offset: int) -> Insertion:
    """What to insert for a new section when the cursor is at `offset`.

    The tag takes a blank line as it is; behind a line with anything on it, it begins a new one, with a blank line
    between. It never parts a line.
    """
    tag = f"[{tag_label(outline, name)}]"
    text = outline.text
    line = next((one for one in reversed(outline.lines) if one.start <= offset), None)
    if line is None:
        return Insertion(0, 0, f"{tag}\n")
    if offset > line.end:  # on the empty line behind the last line feed
        return Insertion(len(text), len(text), _apart(outline, len(outline.lines)) + f"{tag}\n")
    if line.kind is LineKind.BLANK:
        behind = "" if line.end < len(text) else "\n"
        return Insertion(line.start, line.end, _apart(outline, line.index) + tag + behind)
    ended = line.end < len(text)
    return Insertion(line.end, line.end, f"\n\n{tag}" + ("" if ended else "\n"))


def _apart(outline: Outline, index: int) -> str:
    """A line feed where the line before `index` has something on it."""
    return "\n" if index > 0 and outline.lines[index - 1].kind is not LineKind.BLANK else ""
