"""A text as the editor's lines, and the one stretch in which two texts differ."""

from __future__ import annotations

from dataclasses import dataclass

#: What a QTextDocument takes for an end of a block, beside those that Python knows: as one that stands for itself,
#: which a line feed behind a carriage return would not.
_BLOCK_ENDS = str.maketrans({"\ufdd0": "\v", "\ufdd1": "\v"})


@dataclass(frozen=True)
class Change:
    """`start`..`end` (characters, in the text before) became `text`."""

    start: int
    end: int
    text: str


def with_line_feeds(text: str) -> str:
    """`text` with a line feed for every end of a line that Python knows, so that the editor's blocks are its lines."""
    lines = text.translate(_BLOCK_ENDS).splitlines(keepends=True)
    return "".join(line if line.endswith("\n") and line[-2:-1] != "\r" else _ended(line) for line in lines)


def change_between(before: str, after: str) -> Change | None:
    """The shortest stretch at one place that turns `before` into `after`; None where they are equal."""
    if before == after:
        return None
    start = _shared(before, after)
    rest = _shared(before[start:][::-1], after[start:][::-1])
    return Change(start, len(before) - rest, after[start : len(after) - rest])


def _ended(line: str) -> str:
    content = line.splitlines()[0]
    return content if content == line else f"{content}\n"


def _shared(first: str, second: str) -> int:
    """How many characters two texts begin with alike; by halves, since the texts are long and mostly alike."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
