"""Writes a score, or parts of it, as canonical text of the dialect."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from yue2_desktop.score.elements import Bar, Event, KeyChange, Meter, Note, Rest
from yue2_desktop.score.keys import Key
from yue2_desktop.score.model import Group, Header, Score, VoiceLine
from yue2_desktop.score.reading.header import INS_LINE, VOCAL_LINE


def write(score: Score) -> str:
    """Return the score's text; for a canonical text, `write(parse(text).score) == text` byte for byte.

    What the model does not hold (a title, comments inside music, text that was not understood) is not written.
    """
    lines = [write_header(score.header)]
    lines.extend(write_group(group) for group in score.groups)
    text = "\n".join(lines)
    return text + "\n" if score.final_newline else text


def write_header(header: Header) -> str:
    """Return the eight header lines, without a final line feed."""
    return "\n".join((
        "X:1",
        "T:",
        f"M:{header.meter.text}",
        f"L:1/{header.unit}",
        f"Q:1/4={header.tempo}",
        VOCAL_LINE,
        INS_LINE,
        f"K:{header.key.name}",
    ))


def write_group(group: Group) -> str:
    """Return the lines of one group, without a final line feed; a voice without bars is left out."""
    lines = [f"% {label.text}" for label in group.labels]
    lines.extend(write_voice_line(line) for line in (group.vocal, group.ins) if line.bars)
    return "\n".join(lines)


def write_voice_line(line: VoiceLine) -> str:
    """Return one voice's lines of a group: its name, its changes, its music."""
    return voice_text(line.voice, line.meter_change, line.key_change, write_bars(line.bars))


def voice_text(voice: str, meter: Meter | None, key: Key | None, music: str) -> str:
    """Return the lines of one voice of a group from its parts."""
    lines = [f"V: {voice}"]
    if meter is not None:
        lines.append(f"M:{meter.text}")
    if key is not None:
        lines.append(f"K:{key.name}")
    lines.append(music)
    return "\n".join(lines)


def write_bars(bars: Iterable[Bar]) -> str:
    """Return a music line; each bar is followed by its bar line, runs of full-bar rests are written as they were."""
    written: list[str] = []
    left = 0
    bars = tuple(bars)
    for at, bar in enumerate(bars):
        if left:
            left -= 1
            continue
        if bar.is_full_rest:
            run = bars[at : at + bar.rest_run]
            whole = len(run) == bar.rest_run and all(
                one.rest_run == bar.rest_run and one.rest_piece == place for place, one in enumerate(run)
            )
            count = bar.rest_run if whole else 1
            left = count - 1
            written.append("Z" if count == 1 else f"Z{count}")
        else:
            written.append(write_bar(bar))
        written.append("|")
    return "".join(written)


def write_bar(bar: Bar) -> str:
    """Return one bar without its bar line; a full-bar rest is `Z`."""
    if bar.is_full_rest:
        return "Z"
    marks = {tuplet.first: tuplet.text for tuplet in bar.tuplets}
    return "".join(write_event(event, marks.get(at, "")) for at, event in enumerate(bar.events))


def write_event(event: Event, tuplet: str = "") -> str:
    """Return one event: chord symbol, the mark of the tuplet that begins with it, then the note or rest."""
    if isinstance(event, KeyChange):
        return f"[K:{event.key.name}]"
    chord = f'"{event.chord.text}"' if event.chord else ""
    if isinstance(event, Rest):
        return f"{chord}{tuplet}z{write_units(event.units)}"
    return f"{chord}{tuplet}{write_note(event)}"


def write_note(note: Note) -> str:
    """Return a note's token: accidental, letter, octave marks, length, tie."""
    letter = note_letter(note.letter, note.octave)
    return f"{note.mark}{letter}{write_units(note.units)}{'-' if note.tie else ''}"


def note_letter(letter: str, octave: int) -> str:
    """Return a letter with its octave marks: C..B is octave 4, c..b octave 5."""
    if octave <= 4:
        return letter + "," * (4 - octave)
    return letter.lower() + "'" * (octave - 5)


def write_units(units: int | Fraction) -> str:
    """Return a written length; 1 is not written."""
    return "" if units == 1 else str(units)
