"""The content of one imported bar: cells of notes and silence, cut where chords and keys begin, tuplets found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import LENGTHS
from yue2_desktop.score.importing.barlines import Frame
from yue2_desktop.score.importing.sketch import Tone

#: Tuplets that are looked for, p notes in the time of q, the usual ones first.
RATIOS = (
    (3, 2), (6, 4), (5, 4), (7, 4), (9, 8), (2, 3), (4, 3), (5, 2), (5, 6), (7, 8), (7, 6), (8, 6), (5, 3), (7, 2),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """A stretch of a bar with one note or silence: offset and length in quarters.

    `begins` says that the note begins here, `tie` that it goes on into the next cell or bar.
    """

    offset: Fraction
    length: Fraction
    tone: Tone | None
    begins: bool
    tie: bool
    chord: Chord | None = None

    @property
    def end(self) -> Fraction:
        """Where it ends, in quarters from the bar's start."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True)
class Run:
    """Cells that are written together: plainly (`ratio` None), or as one tuplet p in the time of q."""

    cells: tuple[Cell, ...]
    ratio: tuple[int, int] | None


def cells(frame: Frame, tones: Sequence[Tone], before: Tone | None) -> list[Cell]:
    """Return the cells that fill a bar from the tones that sound in it; `before` is the tone ahead of the first."""
    bar = frame.meter.quarters
    found: list[Cell] = []
    at = Fraction(0)
    for tone in tones:
        first = max(tone.onset - frame.start, Fraction(0))
        last = min(tone.end - frame.start, bar)
        if last <= first or first < at:
            continue
        if first > at:
            found.append(Cell(at, first - at, None, begins=True, tie=False))
        cut_here = tone.onset < frame.start
        tied_to = before is not None and before.tie and before.pitch == tone.pitch and before.end == tone.onset
        goes_on = tone.end > frame.end or tone.tie
        found.append(Cell(first, last - first, tone, begins=not (cut_here or tied_to), tie=goes_on))
        at = last
        before = tone
    if at < bar:
        found.append(Cell(at, bar - at, None, begins=True, tie=False))
    return found


def cut(found: Sequence[Cell], offset: Fraction) -> list[Cell]:
    """Return the cells with one that begins at `offset`; a note that sounds there is tied."""
    result: list[Cell] = []
    for cell in found:
        if not cell.offset < offset < cell.end:
            result.append(cell)
            continue
        is_note = cell.tone is not None
        result.append(replace(cell, length=offset - cell.offset, tie=is_note))
        result.append(replace(cell, offset=offset, length=cell.end - offset, begins=not is_note, chord=None))
    return result


def with_chord(found: Sequence[Cell], offset: Fraction, chord: Chord, unit: Fraction) -> list[Cell]:
    """Return the cells with a chord at `offset`; within a tuplet it goes to the cell that sounds there."""
    in_tuplet = any(
        run.ratio is not None and run.cells[0].offset < offset < run.cells[-1].end for run in runs(found, unit)
    )
    cells_now = cut(found, offset) if not in_tuplet and (offset / unit).denominator == 1 else list(found)
    at = max(index for index, cell in enumerate(cells_now) if cell.offset <= offset)
    cells_now[at] = replace(cells_now[at], chord=chord)
    return cells_now


def runs(found: Sequence[Cell], unit: Fraction) -> list[Run]:
    """Return the cells in runs: those off the grid of `unit` quarters from one grid line to the next are a tuplet."""
    result: list[Run] = []
    group: list[Cell] = []
    for cell in found:
        group.append(cell)
        if (cell.end / unit).denominator == 1:
            whole = len(group) == 1
            result.append(Run(tuple(group), None if whole else _ratio(group, unit)))
            group = []
    if group:
        result.append(Run(tuple(group), None))
    return result


def _ratio(group: Sequence[Cell], unit: Fraction) -> tuple[int, int] | None:
    for p, q in RATIOS:
        written = [cell.length * p / q / unit for cell in group]
        if len(group) <= 16 and all(one.denominator == 1 and int(one) in LENGTHS for one in written):
            return p, q
    return None
