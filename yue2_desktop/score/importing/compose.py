"""Writes an imported song in the dialect: bars, groups of four, accidentals, ties, chord symbols, header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from yue2_desktop.score.chords import Chord, is_far_from, respelled
from yue2_desktop.score.elements import MAX_BARS_PER_LINE, VOICES, Voice
from yue2_desktop.score.importing.barlines import Frame, frames
from yue2_desktop.score.importing.cells import Cell, Run, cells, cut, runs, with_chord
from yue2_desktop.score.importing.sketch import Changes, Sketch, Tone
from yue2_desktop.score.keys import KEYS, Key
from yue2_desktop.score.lengths import legal_pieces
from yue2_desktop.score.model import Header
from yue2_desktop.score.pitch import NOTE_MARKS, Pitch, pitch_with
from yue2_desktop.score.writer import note_letter, voice_text, write_header, write_units

#: The finest grid that the model writes, in quarters; what lies off it and is no tuplet is moved to it.
FINEST = Fraction(1, 8)


def compose(sketch: Sketch, changes: Changes) -> str:
    """Return the song as canonical text; every note lies on a grid of 32nds or in a tuplet of one.

    Raises Problem(BAD_FILE) for a song of too many bars.
    """
    bars = frames(sketch)
    unit = _unit(sketch, bars)
    first = bars[0]
    header = Header("", first.meter, int(4 / unit), sketch.tempo, first.key, (), 0)
    lines = [write_header(header)]
    music = {voice: list(_music(sketch, bars, voice, unit, changes)) for voice in VOICES}
    meter, key = first.meter, first.key
    for start, end in _groups(bars):
        frame = bars[start]
        if frame.label:
            lines.append(f"% {frame.label}")
        new_meter = frame.meter if frame.meter != meter else None
        new_key = frame.key if frame.key != key else None
        lines.extend(voice_text(voice, new_meter, new_key, _line(music[voice][start:end])) for voice in VOICES)
        meter, key = frame.meter, _last_key(bars[end - 1])
    return "\n".join(lines) + "\n"


def _unit(sketch: Sketch, bars: Sequence[Frame]) -> Fraction:
    """Return 1/16 or 1/32 in quarters: the model writes 1/32 as soon as a bar of eighths occurs."""
    if any(bar.meter.denominator >= 8 for bar in bars):
        return FINEST
    times = [time for voice in (sketch.vocal, sketch.ins) for tone in voice for time in (tone.onset, tone.duration)]
    times += [time for time, _ in (*sketch.chords, *sketch.keys)]
    dyadic = [time.denominator & -time.denominator for time in times]
    return Fraction(1, 4) if lcm(1, *dyadic) <= 4 and not _has_fine_tuplet(times) else FINEST


def _has_fine_tuplet(times: Sequence[Fraction]) -> bool:
    return any(time.denominator & (time.denominator - 1) and time.denominator % 4 == 0 for time in times)


def _groups(bars: Sequence[Frame]) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(bars) + 1):
        full = at - start == MAX_BARS_PER_LINE
        if at == len(bars) or full or _begins_group(bars[at - 1], bars[at]):
            yield start, at
            start = at


def _begins_group(before: Frame, bar: Frame) -> bool:
    return bool(bar.label) or bar.meter != before.meter or bar.key != _last_key(before)


def _last_key(bar: Frame) -> Key:
    return bar.changes[-1][1] if bar.changes else bar.key


def _line(bars: Sequence[str]) -> str:
    """Return a music line; silent bars ("") side by side become one `Zn`."""
    parts: list[str] = []
    silent = 0
    for bar in (*bars, None):
        if bar == "":
            silent += 1
            continue
        if silent:
            parts.append("Z|" if silent == 1 else f"Z{silent}|")
            silent = 0
        if bar is not None:
            parts.append(f"{bar}|")
    return "".join(parts)


def _music(sketch: Sketch, bars: Sequence[Frame], voice: Voice, unit: Fraction, changes: Changes) -> Iterator[str]:
    tones = _tied(sketch.vocal if voice is Voice.VOCAL else sketch.ins)
    chords = sketch.chords if voice is Voice.VOCAL else ()
    writer = _Writer(unit, changes)
    at = 0
    for frame in bars:
        while at < len(tones) and tones[at].end <= frame.start:
            at += 1
        last = at
        while last < len(tones) and tones[last].onset < frame.end:
            last += 1
        found = cells(frame, tones[at:last], tones[at - 1] if at else None)
        for offset, _ in frame.changes:
            found = cut(found, offset)
        for time, chord in chords:
            if frame.start <= time < frame.end:
                offset = time - frame.start
                key = next((key for change, key in reversed(frame.changes) if change <= offset), frame.key)
                found = with_chord(found, offset, respelled(chord, key) if is_far_from(chord, key) else chord, unit)
        yield writer.bar(frame, found)


def _tied(tones: Sequence[Tone]) -> list[Tone]:
    """Return the tones with only those ties that lead to the same pitch."""
    following = [*tones[1:], None][: len(tones)]
    return [
        replace(one, tie=one.tie and after is not None and (after.onset, after.pitch) == (one.end, one.pitch))
        for one, after in zip(tones, following, strict=True)
    ]


class _Writer:
    """Writes the bars of one voice one after another; key, accidentals and the held note are remembered here."""

    def __init__(self, unit: Fraction, changes: Changes) -> None:
        self._unit = unit
        self._changes = changes
        self._key = KEYS["C"]
        self._memory: dict[str, int] = {}
        self._held: Pitch | None = None

    def bar(self, frame: Frame, found: Sequence[Cell]) -> str:
        """Return a bar without its bar line, "" for a silent one."""
        if not frame.changes and all(cell.tone is None and cell.chord is None for cell in found):
            return ""
        self._key, self._memory = frame.key, {}
        keys = dict(frame.changes)
        parts: list[str] = []
        for run in runs(found, self._unit):
            for offset in [offset for offset in keys if offset <= run.cells[0].offset]:
                self._key, self._memory = keys.pop(offset), {}
                parts.append(f"[K:{self._key.name}]")
            parts.append(self._run(run))
        return "".join(parts)

    def _run(self, run: Run) -> str:
        if run.ratio is None:
            return "".join(self._plain(cell) for cell in _on_grid(run.cells, self._unit, self._changes))
        p, q = run.ratio
        mark = f"({p}" if (p, q) == (3, 2) and len(run.cells) == 3 else f"({p}:{q}:{len(run.cells)}"
        parts = []
        for at, cell in enumerate(run.cells):
            units = int(cell.length * p / q / self._unit)
            parts.append(
                _chord(cell.chord) + (mark if at == 0 else "") + self._token(cell, units, cell.tie, cell.begins)
            )
        return "".join(parts)

    def _plain(self, cell: Cell) -> str:
        pieces = legal_pieces(int(cell.length / self._unit))
        last = len(pieces) - 1
        return _chord(cell.chord) + "".join(
            self._token(cell, piece, cell.tie or at < last, cell.begins and at == 0) for at, piece in enumerate(pieces)
        )

    def _token(self, cell: Cell, units: int, tie: bool, begins: bool) -> str:
        if cell.tone is None:
            return f"z{write_units(units)}"
        pitch = self._held if self._held is not None and not begins else spelled(cell.tone, self._key)
        mark = ""
        if begins and self._memory.get(pitch.letter, self._key.alters[pitch.letter]) != pitch.alter:
            mark = NOTE_MARKS[pitch.alter]
            self._memory[pitch.letter] = pitch.alter
        self._held = pitch
        return f"{mark}{note_letter(pitch.letter, pitch.octave)}{write_units(units)}{'-' if tie else ''}"


def _chord(chord: Chord | None) -> str:
    return f'"{chord.name}"' if chord is not None else ""


def spelled(tone: Tone, key: Key) -> Pitch:
    """Return a tone's spelling: the file's own where it has one, else the usual one of the key."""
    if tone.spelled is not None:
        return tone.spelled
    return pitch_with(key.usual(tone.pitch % 12), tone.pitch)


def _on_grid(found: Sequence[Cell], unit: Fraction, changes: Changes) -> list[Cell]:
    """Return cells whose ends lie on the grid; what is no tuplet that can be written is moved to it and said."""
    if all((cell.length / unit).denominator == 1 and (cell.offset / unit).denominator == 1 for cell in found):
        return list(found)
    changes.say("Rhythms that the dialect cannot write, moved to its grid: {}.")
    start, end = found[0].offset, found[-1].end
    edges = [start + round((cell.offset - start) / unit) * unit for cell in found] + [end]
    moved = [
        Cell(left, right - left, cell.tone, cell.begins, cell.tie, cell.chord)
        for cell, left, right in zip(found, edges, edges[1:], strict=False)
        if right > left
    ]
    return _relinked(moved)


def _relinked(found: list[Cell]) -> list[Cell]:
    """Return the cells with ties only where the next cell goes on with the same note; the last keeps its own."""
    result = []
    for at, cell in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        tie = cell.tie
        if following is not None:
            tie = tie and following.tone is not None and not following.begins
        result.append(Cell(cell.offset, cell.length, cell.tone, cell.begins, tie, cell.chord))
    return result
