"""Notes of a MIDI file by track, for tests."""

from __future__ import annotations

import io

from mido import MidiFile


def notes_of(data: bytes) -> tuple[int, list[list[tuple[int, int, int]]]]:
    """Return ticks a quarter, and for each track with notes (start, end, pitch) in order."""
    file = MidiFile(file=io.BytesIO(data))
    tracks = []
    for track in file.tracks:
        now, sounding, notes = 0, {}, []
        for message in track:
            now += message.time
            if message.type == "note_on" and message.velocity:
                sounding[message.note] = now
            elif message.type in {"note_off", "note_on"}:
                notes.append((sounding.pop(message.note), now, message.note))
        if notes:
            tracks.append(sorted(notes))
    return file.ticks_per_beat, tracks
