"""A MIDI file as values: parts with their notes, tempi, meters, keys, markers, and texts, all in quarters."""

from __future__ import annotations

import io
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from mido import KeySignatureError, MidiFile

from yue2_desktop.score.importing.refusal import ANOTHER, CUT, refused
from yue2_desktop.score.importing.sketch import Tone
from yue2_desktop.score.keys import KEYS, Key

MAX_BYTES = 4 * 2**20
#: More events than this are no song but a recording of something else.
MAX_EVENTS = 200_000
_DRUMS = 9


@dataclass
class MidiPart:
    """What one channel of one track plays; `texts` are the track's text events."""

    name: str
    channel: int
    tones: list[Tone] = field(default_factory=list)
    texts: list[tuple[Fraction, str]] = field(default_factory=list)


@dataclass
class MidiSong:
    """The parts of a file but for drums, and what it says of tempo, meter, key and sections.

    `silent` names the tracks without notes.
    """

    parts: list[MidiPart] = field(default_factory=list)
    tempi: list[tuple[Fraction, int]] = field(default_factory=list)
    meters: list[tuple[Fraction, int, int]] = field(default_factory=list)
    keys: list[tuple[Fraction, Key]] = field(default_factory=list)
    markers: list[tuple[Fraction, str]] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    drums: bool = False
    end: Fraction = Fraction(0)


def read_midi(data: bytes) -> MidiSong:
    """Return a standard MIDI file's content; raises Problem(BAD_FILE) for one that is damaged, too large or timed
    in frames of film instead of beats."""
    if len(data) > MAX_BYTES:
        raise refused("is larger than 4 MiB, so it is no single song", CUT)
    if not data.startswith((b"MThd", b"RIFF")):
        raise refused("is no MIDI file", ANOTHER)
    try:
        file = MidiFile(file=io.BytesIO(_bare(data)), charset="latin-1", clip=True)
    except KeySignatureError as error:
        raise refused("is a damaged MIDI file: it names a key that there is not", ANOTHER) from error
    except (OSError, EOFError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
        raise refused("is a damaged MIDI file", ANOTHER) from error
    if file.ticks_per_beat <= 0 or file.ticks_per_beat >= 0x8000:
        raise refused("counts film frames instead of beats", "save it again with ticks per quarter note")
    if sum(map(len, file.tracks)) > MAX_EVENTS:
        raise refused(f"has more than {MAX_EVENTS:,} events", CUT)
    song = MidiSong()
    for track in file.tracks:
        _read_track(track, file.ticks_per_beat, song)
    return song


def _bare(data: bytes) -> bytes:
    """Return the MIDI file inside a RIFF wrapper (.rmi), or the data itself."""
    at = data.find(b"MThd") if data.startswith(b"RIFF") else 0
    return data[max(at, 0) :]


def _read_track(track: Any, ticks: int, song: MidiSong) -> None:
    name = ""
    now = 0
    parts: dict[int, MidiPart] = {}
    sounding: dict[tuple[int, int], list[int]] = defaultdict(list)
    texts: list[tuple[Fraction, str]] = []
    for message in track:
        now += message.time
        at = Fraction(now, ticks)
        kind = message.type
        if kind in {"note_on", "note_off"}:
            if message.channel == _DRUMS:
                song.drums = True
                continue
            part = parts.setdefault(message.channel, MidiPart("", message.channel))
            starts = sounding[message.channel, message.note]
            if kind == "note_on" and message.velocity:
                starts.append(now)
            elif starts:
                start = starts.pop(0)
                if now > start:
                    part.tones.append(Tone(Fraction(start, ticks), Fraction(now - start, ticks), message.note))
        elif kind in {"track_name", "instrument_name"}:
            name = name or _text(message.name)
        elif kind == "text":
            texts.append((at, _text(message.text)))
        elif kind in {"marker", "cue_marker"}:
            song.markers.append((at, _text(message.text)))
        elif kind == "set_tempo" and message.tempo:
            song.tempi.append((at, message.tempo))
        elif kind == "time_signature":
            song.meters.append((at, message.numerator, message.denominator))
        elif kind == "key_signature" and message.key in KEYS:
            song.keys.append((at, KEYS[message.key]))
    song.end = max(song.end, Fraction(now, ticks))
    if not any(part.tones for part in parts.values()):
        song.silent.append(name.strip())
    for part in parts.values():
        if part.tones:
            part.name, part.texts = name.strip(), texts
            part.tones.sort(key=lambda one: (one.onset, one.pitch))
            song.parts.append(part)


def _text(raw: str) -> str:
    """Return a text of the file: UTF-8 where it is valid UTF-8, else Latin-1, as older programs write."""
    try:
        return raw.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return raw
