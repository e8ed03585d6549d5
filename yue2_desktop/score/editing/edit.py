"""An edit as a value: what it does in words, and the replacements in the text that do it, so that it can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from yue2_desktop.song.errors import Problem, ProblemKind

#: More changed lines than this are replaced as one piece: finding the least change would take longer than it is worth.
_MOST_LINES = 400


@dataclass(frozen=True, slots=True)
class Replacement:
    """The characters from offset `start` up to, not including, `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A description for people, and replacements sorted by place that do not overlap; offsets are of the old text."""

    description: str
    replacements: tuple[Replacement, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the edit changes nothing."""
        return not self.replacements

    def apply(self, text: str) -> str:
        """Return the text after the edit; `text` must be the one that the edit was made for."""
        pieces, at = [], 0
        for one in self.replacements:
            pieces.append(text[at : one.start])
            pieces.append(one.text)
            at = one.end
        pieces.append(text[at:])
        return "".join(pieces)

    def inverse(self, text: str) -> Edit:
        """Return the edit that undoes this one; `text` is the text before this edit."""
        back, shift = [], 0
        for one in self.replacements:
            start = one.start + shift
            back.append(Replacement(start, start + len(one.text), text[one.start : one.end]))
            shift += len(one.text) - (one.end - one.start)
        return Edit(f"Undo: {self.description}", tuple(back))


def edit_of(description: str, replacements: Iterable[Replacement], text: str) -> Edit:
    """Return an edit of these replacements in order of place, without those that change nothing."""
    kept = [one for one in replacements if text[one.start : one.end] != one.text]
    return Edit(description, tuple(sorted(kept, key=lambda one: (one.start, one.end))))


def edit_between(description: str, old: str, new: str) -> Edit:
    """Return the edit that turns one text into another, line by line, with the equal ends of lines left alone."""
    if old == new:
        return Edit(description, ())
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old_middle, new_middle = before[head : len(before) - tail], after[head : len(after) - tail]
    start = sum(map(len, before[:head]))
    if max(len(old_middle), len(new_middle)) > _MOST_LINES:
        blocks = [(0, len(old_middle), 0, len(new_middle))]
    else:
        matcher = SequenceMatcher(None, old_middle, new_middle, autojunk=False)
        blocks = [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    offsets = [start]
    for line in old_middle:
        offsets.append(offsets[-1] + len(line))
    return Edit(
        description,
        tuple(
            _trimmed(offsets[first], "".join(old_middle[first:last]), "".join(new_middle[c:d]))
            for first, last, c, d in blocks
        ),
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _trimmed(start: int, old: str, new: str) -> Replacement:
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    return Replacement(start + head, start + len(old) - tail, new[head : len(new) - tail])


def refused(sentence: str, **data: object) -> Problem:
    """Return the problem that says why an edit cannot be made; the score stays as it is."""
    return Problem(ProblemKind.BAD_REQUEST, sentence, **data)
