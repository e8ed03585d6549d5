"""Where the bars of an imported song begin, and in which meter and key each is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.sketch import MAX_BARS, Sketch
from yue2_desktop.score.keys import Key
from yue2_desktop.song.errors import Problem, ProblemKind

T = TypeVar("T")

#: Bars of these denominators are tried for a piece of a bar, the plainest first.
_DENOMINATORS = (4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class Frame:
    """An empty bar: start in quarters, meter, key at its start, key changes inside it by offset, section name."""

    start: Fraction
    meter: Meter
    key: Key
    changes: tuple[tuple[Fraction, Key], ...]
    label: str

    @property
    def end(self) -> Fraction:
        """Where it ends, in quarters."""
        return self.start + self.meter.quarters


def frames(sketch: Sketch) -> tuple[Frame, ...]:
    """Return the song's bars, enough for every note and for `sketch.end`; at least one.

    A meter that changes inside a bar ends that bar there. Raises Problem(BAD_FILE) beyond `MAX_BARS`.
    """
    end = max([sketch.end, *(voice[-1].end for voice in (sketch.vocal, sketch.ins) if voice)])
    found: list[Frame] = []
    at = Fraction(0)
    label = _label(sketch, at, None)
    while at < end or not found:
        if len(found) >= MAX_BARS:
            raise Problem(
                ProblemKind.BAD_FILE,
                f"The file has more than {MAX_BARS} bars; cut it to one song and import that.",
            )
        meter = _in_force(sketch.meters, at)
        change = next((time for time, _ in sketch.meters if at < time < at + meter.quarters), None)
        if change is not None:
            meter = meter_of(change - at)
        key = _in_force(sketch.keys, at)
        stop = at + meter.quarters
        changes = tuple((time - at, new) for time, new in sketch.keys if at < time < stop)
        found.append(Frame(at, meter, key, changes, label))
        label = _label(sketch, stop, at)
        at = stop
    return tuple(found)


def usable(meter: Meter) -> Meter:
    """Return a meter that the dialect's grid of 32nds can write: the same, or one of nearly the same length."""
    plain = meter.denominator <= 32 and meter.denominator & (meter.denominator - 1) == 0
    if plain and 1 <= meter.numerator <= 64:
        return meter
    return meter_of(min(max(meter.quarters, Fraction(1, 8)), Fraction(64)))


def meter_of(quarters: Fraction) -> Meter:
    """Return the plainest meter of a length; a length that no meter has is rounded up to 32nds."""
    for denominator in _DENOMINATORS:
        beats = quarters * denominator / 4
        if beats.denominator == 1:
            return Meter(max(int(beats), 1), denominator)
    return Meter(max(-int(-quarters * 8 // 1), 1), 32)


def _in_force(changes: tuple[tuple[Fraction, T], ...], at: Fraction) -> T:
    value = changes[0][1]
    for time, new in changes:
        if time > at:
            break
        value = new
    return value


def _label(sketch: Sketch, at: Fraction, before: Fraction | None) -> str:
    """Return the names of the sections that begin at a bar or since the bar before did."""
    names = [name for time, name in sketch.sections if time <= at and (before is None or time > before)]
    return names[-1] if names else ""
