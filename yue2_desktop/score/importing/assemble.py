"""From the bars of a notated file to a song: repeats written out, pickups filled up, bars of odd length."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.barlines import meter_of, usable
from yue2_desktop.score.importing.readbar import ReadBar
from yue2_desktop.score.importing.repeats import played_order
from yue2_desktop.score.importing.sections import section_label
from yue2_desktop.score.importing.sketch import Changes, Sketch, Tone
from yue2_desktop.score.importing.voices import in_range, one_at_a_time
from yue2_desktop.score.keys import KEYS, Key
from yue2_desktop.song.errors import Problem, ProblemKind


def assembled(bars: list[ReadBar], chord_bars: list[ReadBar], ins_bars: list[ReadBar], changes: Changes) -> Sketch:
    """Return the song: bars and signs from `bars`, chords from `chord_bars`, the Ins from `ins_bars`.

    Raises Problem(BAD_FILE) where there are no notes, or too many bars.
    """
    order = played_order([bar.signs for bar in bars])
    if order != list(range(len(bars))):
        changes.say("Repeats were written out.")
    starts, end, meters = _layout(bars, order, changes)
    vocal = _tones(bars, order, starts, changes)
    ins = _tones(ins_bars, order, starts, changes)
    if not vocal and not ins:
        raise Problem(ProblemKind.BAD_FILE, "The file has no notes in the voice that was chosen; choose another.")
    return Sketch(
        tempo=_tempo(bars, changes),
        meters=meters,
        keys=_keys(bars, order, starts),
        vocal=vocal,
        ins=ins,
        chords=_chords(chord_bars, order, starts),
        sections=_sections(bars, order, starts, changes),
        end=end,
    )


def _layout(
    bars: list[ReadBar], order: list[int], changes: Changes
) -> tuple[list[Fraction], Fraction, tuple[tuple[Fraction, Meter], ...]]:
    """Return where each played bar starts, where the last ends, and the meters; a pickup is moved to its bar's end."""
    meters: list[tuple[Fraction, Meter]] = []
    starts: list[Fraction] = []
    in_force, now = Meter(4, 4), Fraction(0)
    written = []
    for bar in bars:
        in_force = bar.meter or in_force
        written.append(in_force)
    for place, index in enumerate(order):
        meter, length = written[index], bars[index].length
        full = meter.quarters
        if usable(meter) != meter:
            changes.say("Meters that the dialect cannot write, rounded: {}.")
        ends = place == 0 or place == len(order) - 1
        if 0 < length < full and not ends:
            meter = meter_of(length)
            full = length
        elif length > full:
            changes.say("Bars longer than their meter, which got one of their own: {}.")
            meter = meter_of(length)
            full = length
        meter = usable(meter)
        pickup = full - length if place == 0 and 0 < length < full else Fraction(0)
        if not meters or meters[-1][1] != meter:
            meters.append((now, meter))
        starts.append(now + pickup)
        now += meter.quarters
    return starts, now, tuple(meters)


def _tones(bars: list[ReadBar], order: list[int], starts: list[Fraction], changes: Changes) -> tuple[Tone, ...]:
    moved = [
        replace(tone, onset=start + tone.onset)
        for index, start in zip(order, starts, strict=True)
        if index < len(bars)
        for _, tone in bars[index].tones
    ]
    return one_at_a_time(in_range(moved, changes), changes)


def _tempo(bars: list[ReadBar], changes: Changes) -> int:
    tempi = [tempo for bar in bars for tempo in bar.tempi if tempo > 0]
    if not tempi:
        changes.say("The file has no tempo; 120 was taken.")
        return 120
    if len(set(tempi)) > 1:
        changes.say("Changes of tempo were left out: a score has one.")
    return min(max(round(tempi[0]), 1), 9999)


def _keys(bars: list[ReadBar], order: list[int], starts: list[Fraction]) -> tuple[tuple[Fraction, Key], ...]:
    in_force = KEYS["C"]
    at_start: list[Key] = []
    for bar in bars:
        in_force = next((key for offset, key in reversed(bar.keys) if offset == 0), in_force)
        at_start.append(in_force)
        in_force = bar.keys[-1][1] if bar.keys else in_force
    found: list[tuple[Fraction, Key]] = []
    for place, (index, start) in enumerate(zip(order, starts, strict=True)):
        time = start if place else Fraction(0)
        for offset, key in [(Fraction(0), at_start[index]), *bars[index].keys]:
            if not found or found[-1][1] != key:
                found.append((time + offset, key))
    return tuple(dict(found).items())


def _chords(
    bars: list[ReadBar],
    order: list[int],
    starts: list[Fraction],
) -> tuple[tuple[Fraction, Chord], ...]:
    found: dict[Fraction, Chord] = {}
    for index, start in zip(order, starts, strict=True):
        for offset, chord in bars[index].chords if index < len(bars) else ():
            found[start + offset] = chord
    return tuple(sorted(found.items(), key=lambda one: one[0]))


def _sections(
    bars: list[ReadBar], order: list[int], starts: list[Fraction], changes: Changes
) -> tuple[tuple[Fraction, str], ...]:
    found = []
    for place, (index, start) in enumerate(zip(order, starts, strict=True)):
        for label in bars[index].labels:
            name = section_label(label)
            if name is None:
                changes.say(f"The section name '{label[:32]}' is none that the model knows and was left out.")
            else:
                found.append((start if place else Fraction(0), name))
    return tuple(found)
