"""The song as columns, one bar of both voices each: what structural edits move about, and how ties are mended then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from yue2_desktop.score.editing.marks import incoming, outgoing, relinked, without_tie_out
from yue2_desktop.score.elements import VOICES, Bar, KeyChange, Meter, Note, Voice
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Score


@dataclass(frozen=True, slots=True)
class Column:
    """One bar of the song. `source` is its group and its place in that group, None for a new bar.

    `labels` are those that stand before it. A voice that lacks the bar is None, in scores with errors only.
    """

    vocal: Bar | None
    ins: Bar | None
    labels: tuple[str, ...]
    source: tuple[int, int] | None

    def bar(self, voice: Voice) -> Bar | None:
        """Return one voice's bar."""
        return self.vocal if voice is Voice.VOCAL else self.ins

    def with_bar(self, voice: Voice, bar: Bar) -> Column:
        """Return the column with another bar in one voice."""
        return replace(self, vocal=bar) if voice is Voice.VOCAL else replace(self, ins=bar)

    @property
    def meter(self) -> Meter:
        """The meter in force."""
        return self._any.meter

    @property
    def key(self) -> Key:
        """The key in force at the bar's start."""
        return self._any.key

    @property
    def last_key(self) -> Key:
        """The key in force at the bar's end."""
        changes = [event.key for event in self._any.events if isinstance(event, KeyChange)]
        return changes[-1] if changes else self._any.key

    @property
    def _any(self) -> Bar:
        bar = self.vocal or self.ins
        assert bar is not None, "a column has a bar in one voice at least"
        return bar


def columns_of(score: Score) -> list[Column]:
    """Return the song's bars in order."""
    columns = []
    for group in score.groups:
        for at in range(group.bar_count):
            vocal = group.vocal.bars[at] if at < len(group.vocal.bars) else None
            ins = group.ins.bars[at] if at < len(group.ins.bars) else None
            labels = tuple(label.text for label in group.labels) if at == 0 else ()
            columns.append(Column(vocal, ins, labels, (group.index, at)))
    return columns


def mended(columns: Sequence[Column], before: Sequence[Column]) -> list[Column]:
    """Return the columns with ties and marks put right wherever a bar or its neighbour is not what it was.

    `before` are the columns of the unchanged song. Bars that stand where they stood, between the bars that they
    stood between, are not looked at.
    """
    followers = {one.source: two.source for one, two in pairwise(before)}
    originals = {column.source: column for column in before}
    result = list(columns)
    for voice in VOICES:
        for at, column in enumerate(result):
            left = result[at - 1] if at else None
            bar = column.bar(voice)
            if left is None:
                joint_is_old = before[:1] == [column] or (bool(before) and before[0].source == column.source)
            else:
                joint_is_old = left.source is not None and followers.get(left.source) == column.source
            left_bar = left.bar(voice) if left else None
            untouched = _is_same(column, originals, voice) and (left is None or _is_same(left, originals, voice))
            if bar is None or (joint_is_old and untouched):
                continue
            tying = outgoing(left_bar)
            first = incoming(bar)
            if tying is not None and left_bar is not None and not _goes_on(tying, first):
                assert left is not None
                result[at - 1] = left.with_bar(voice, without_tie_out(left_bar))
                tying = None
            linked = relinked(bar, tying)
            if linked is not bar:
                result[at] = column.with_bar(voice, linked)
        last = result[-1].bar(voice) if result else None
        if last is not None and outgoing(last) is not None and not _ends_as_before(result, before, voice):
            result[-1] = result[-1].with_bar(voice, without_tie_out(last))
    return result


def _goes_on(tying: Note, first: Note | None) -> bool:
    """Whether the first note of a bar continues the tied one before; one of equal pitch by chance does not."""
    return first is not None and first.tied and first.pitch == tying.pitch


def _is_same(column: Column, originals: dict[tuple[int, int] | None, Column], voice: Voice) -> bool:
    if column.source is None:
        return False
    return originals[column.source].bar(voice) is column.bar(voice)


def _ends_as_before(columns: Sequence[Column], before: Sequence[Column], voice: Voice) -> bool:
    return bool(before) and columns[-1].bar(voice) is before[-1].bar(voice)
