"""The score as a MIDI file: three tracks (Vocal, Ins, Chords), tempo, meters, keys, and a marker for each section."""

from __future__ import annotations

import io
from fractions import Fraction

from mido import MetaMessage, MidiFile, MidiTrack
from mido.messages import Message

from yue2_desktop.score.elements import VOICES, Voice
from yue2_desktop.score.model import Score
from yue2_desktop.score.preview.plan import voicing
from yue2_desktop.score.timeline import chords, keys, meters, sounds

#: Ticks a quarter; the first that has all times of a song as whole ticks is taken (tuplets of 7 and 9 need the last).
RESOLUTIONS = (480, 960, 10080)
_PROGRAMS = {"Vocal": 52, "Ins": 4, "Chords": 89}
_VELOCITIES = {"Vocal": 96, "Ins": 84, "Chords": 56}
#: Order of events at one tick: what ends comes before what is said, and that before what begins.
_END, _META, _BEGIN = 0, 1, 2

_Event = tuple[int, int, Message | MetaMessage]


def midi_bytes(score: Score) -> bytes:
    """Return the score as a standard MIDI file of type 1.

    The first track, Vocal, also has tempo, meters, keys and markers. The chords' names are text events in their
    track. Pitches outside 0..127 and chords outside the vocabulary are left out; texts are UTF-8.
    """
    ticks = _resolution(score)
    file = MidiFile(type=1, ticks_per_beat=ticks, charset="utf-8")
    for channel, voice in enumerate(VOICES):
        events = _frame(score, ticks) if voice is Voice.VOCAL else []
        events += _notes(score, voice, channel, ticks)
        file.tracks.append(_track(str(voice), channel, events, _tick(score.duration, ticks)))
    file.tracks.append(_track("Chords", 2, _chord_notes(score, ticks), _tick(score.duration, ticks)))
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


def _resolution(score: Score) -> int:
    times = {time.denominator for voice in VOICES for one in sounds(score, voice) for time in (one.onset, one.duration)}
    times |= {one.onset.denominator for one in chords(score)}
    return next((ticks for ticks in RESOLUTIONS if all(ticks % time == 0 for time in times)), RESOLUTIONS[-1])


def _tick(quarters: Fraction, ticks: int) -> int:
    return int(quarters * ticks + Fraction(1, 2))


def _frame(score: Score, ticks: int) -> list[_Event]:
    microseconds = min(max(round(60_000_000 / score.header.tempo), 1), 0xFFFFFF)  # the file has three bytes for it
    tempo = MetaMessage("set_tempo", tempo=microseconds)
    events: list[_Event] = [(0, _META, tempo)]
    for time, meter in meters(score):
        message = MetaMessage("time_signature", numerator=min(meter.numerator, 255), denominator=meter.denominator)
        events.append((_tick(time, ticks), _META, message))
    for time, key in keys(score):
        events.append((_tick(time, ticks), _META, MetaMessage("key_signature", key=key.name)))
    for section in score.sections:
        if section.label:
            text = section.label.encode("utf-8", "replace").decode("utf-8")
            events.append((_tick(section.start, ticks), _META, MetaMessage("marker", text=text)))
    return events


def _notes(score: Score, voice: Voice, channel: int, ticks: int) -> list[_Event]:
    velocity = _VELOCITIES[str(voice)]
    events: list[_Event] = []
    for one in sounds(score, voice):
        if 0 <= one.pitch <= 127:
            start, end = _tick(one.onset, ticks), _tick(one.onset + one.duration, ticks)
            events += _sounding(one.pitch, channel, velocity, start, end)
    return events


def _chord_notes(score: Score, ticks: int) -> list[_Event]:
    events: list[_Event] = []
    for one in chords(score):
        start, end = _tick(one.onset, ticks), _tick(one.onset + one.duration, ticks)
        if one.symbol.chord is None or start == end:
            continue
        events.append((start, _META, MetaMessage("text", text=one.symbol.chord.name)))
        for pitch in voicing(one.symbol.chord):
            events += _sounding(pitch, 2, _VELOCITIES["Chords"], start, end)
    return events


def _sounding(pitch: int, channel: int, velocity: int, start: int, end: int) -> list[_Event]:
    if end <= start:
        return []
    return [
        (start, _BEGIN, Message("note_on", note=pitch, velocity=velocity, channel=channel)),
        (end, _END, Message("note_off", note=pitch, velocity=64, channel=channel)),
    ]


def _track(name: str, channel: int, events: list[_Event], end: int) -> MidiTrack:
    track = MidiTrack()
    track.append(MetaMessage("track_name", name=name))
    track.append(Message("program_change", program=_PROGRAMS[name], channel=channel))
    now = 0
    for tick, _, message in sorted(events, key=lambda one: one[:2]):
        track.append(message.copy(time=tick - now))
        now = tick
    track.append(MetaMessage("end_of_track", time=max(end - now, 0)))
    return track
