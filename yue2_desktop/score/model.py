"""The score as values: header, groups of voice lines, sections, and the whole with its bars.

The model keeps what the dialect can say (spec/abc.md, section 1); what a text held beyond it is in the diagnostics.
Times are `Fraction`s of a quarter note.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from yue2_desktop.score.elements import Bar, Meter, Span, Voice
from yue2_desktop.score.keys import Key


@dataclass(frozen=True, slots=True)
class VoiceLine:
    """One voice's part of a group: its own `M:` and `K:` lines where it has them, and the bars of its music line.

    Line numbers are those of the `V:` line and of the music line (0 where the text has none).
    """

    voice: Voice
    meter_change: Meter | None
    key_change: Key | None
    bars: tuple[Bar, ...]
    meter_span: Span | None
    key_span: Span | None
    voice_line: int
    music_line: int


@dataclass(frozen=True, slots=True)
class Label:
    """A `% label` line: the section's name without the sign."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """Labels, then one line of each voice. A voice that the text lacks is a line without bars."""

    index: int
    labels: tuple[Label, ...]
    vocal: VoiceLine
    ins: VoiceLine
    first_line: int
    last_line: int

    def line_of(self, voice: Voice) -> VoiceLine:
        """Return one voice's line."""
        return self.vocal if voice is Voice.VOCAL else self.ins

    @property
    def bar_count(self) -> int:
        """The number of bars of the longer voice."""
        return max(len(self.vocal.bars), len(self.ins.bars))


@dataclass(frozen=True, slots=True)
class Header:
    """The eight header lines as values; `unit` is the N of `L:1/N`, `tempo` quarter notes a minute.

    Fields that the text lacks hold the default that the parser says it assumed; `spans` has the places of those
    that it has, by letter (`X T M L Q K`, `Vocal`, `Ins`); `last_line` is the header's last line, 0 without one.
    """

    title: str
    meter: Meter
    unit: int
    tempo: int
    key: Key
    spans: tuple[tuple[str, Span], ...]
    last_line: int

    def span_of(self, name: str) -> Span | None:
        """Return the place of a header line, or None where the text lacks it."""
        return dict(self.spans).get(name)

    @property
    def unit_quarters(self) -> Fraction:
        """The length of one unit in quarter notes."""
        return Fraction(4, self.unit)


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of the song from one labelled group up to the next; `label` is "" before the first label.

    Groups and bars are half-open ranges of indices; `start` and `duration` are quarters.
    """

    index: int
    label: str
    first_group: int
    last_group: int
    first_bar: int
    last_bar: int
    start: Fraction
    duration: Fraction
    span: Span | None


@dataclass(frozen=True)
class Score:
    """A whole score; `final_newline` says whether the text ended with a line feed."""

    header: Header
    groups: tuple[Group, ...]
    final_newline: bool = True

    @cached_property
    def vocal_bars(self) -> tuple[Bar, ...]:
        """All bars of the Vocal voice, in order."""
        return tuple(bar for group in self.groups for bar in group.vocal.bars)

    @cached_property
    def ins_bars(self) -> tuple[Bar, ...]:
        """All bars of the Ins voice, in order."""
        return tuple(bar for group in self.groups for bar in group.ins.bars)

    def bars(self, voice: Voice) -> tuple[Bar, ...]:
        """Return all bars of one voice, in order; indices have gaps where a group lacks bars in this voice."""
        return self.vocal_bars if voice is Voice.VOCAL else self.ins_bars

    @cached_property
    def bar_count(self) -> int:
        """The number of bars, that of the longer voice in each group."""
        return sum(group.bar_count for group in self.groups)

    @cached_property
    def duration(self) -> Fraction:
        """The length of the song in quarter notes."""
        ends = [bars[-1].start + bars[-1].slot for bars in (self.vocal_bars, self.ins_bars) if bars]
        return max(ends, default=Fraction(0))

    @property
    def seconds(self) -> float:
        """The nominal length of the song in seconds at the header's tempo."""
        return float(self.duration) * 60 / self.header.tempo

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The song's sections in order."""
        return _sections(self)


def _sections(score: Score) -> tuple[Section, ...]:
    starts = [at for at, group in enumerate(score.groups) if group.labels or at == 0]
    sections = []
    for index, (first, last) in enumerate(zip(starts, [*starts[1:], len(score.groups)], strict=False)):
        groups = score.groups[first:last]
        bars = [bar for group in groups for bar in (*group.vocal.bars, *group.ins.bars)]
        first_bar = sum(group.bar_count for group in score.groups[:first])
        start = min((bar.start for bar in bars), default=Fraction(0))
        end = max((bar.start + bar.slot for bar in bars), default=start)
        labels = groups[0].labels
        sections.append(
            Section(
                index=index,
                label=", ".join(label.text for label in labels),
                first_group=first,
                last_group=last,
                first_bar=first_bar,
                last_bar=first_bar + sum(group.bar_count for group in groups),
                start=start,
                duration=end - start,
                span=labels[0].span if labels else None,
            )
        )
    return tuple(sections)
