"""MIDI files as scores: the melody's track on a grid of sixteenths, chords from a track that has them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.barlines import usable
from yue2_desktop.score.importing.compose import compose
from yue2_desktop.score.importing.grid import guessed_key, guessed_meter, on_grid
from yue2_desktop.score.importing.midi_chords import chords_of, is_chordal
from yue2_desktop.score.importing.midi_file import MidiPart, MidiSong, read_midi
from yue2_desktop.score.importing.refusal import refused
from yue2_desktop.score.importing.sections import section_label
from yue2_desktop.score.importing.sketch import Changes, Imported, Sketch, Tone
from yue2_desktop.score.importing.voices import CHORD_NAME, INS_NAME, MELODY_NAME, one_at_a_time
from yue2_desktop.score.keys import Key
from yue2_desktop.song.errors import Problem, ProblemKind

_BASS = 48


def import_midi(data: bytes, part: str | None = None) -> Imported:
    """Return the score of a MIDI file.

    `part` names the melody's track; otherwise one named like a voice is taken, or the one that looks most like a
    melody. Raises Problem(BAD_FILE) for a file that is damaged, too large or has no notes, and (BAD_REQUEST) for a
    track that it has not.
    """
    changes = Changes()
    song = read_midi(data)
    if not song.parts:
        raise refused("has no notes but drums" if song.drums else "has no notes", "choose one with a melody")
    melody = _melody(song.parts, part)
    if len(song.parts) > 1 and part is None and melody.tones:
        changes.say(f"The melody was taken from {_name(melody, song.parts)}.")
    ins = next((one for one in song.parts if one is not melody and INS_NAME.match(one.name)), None)
    if part is None and INS_NAME.match(melody.name) and "Vocal" in song.silent:
        melody, ins = MidiPart("Vocal", 0), melody
    chordal = _chord_part(song.parts, melody, ins)
    left = [_name(one, song.parts) for one in song.parts if one not in (melody, ins, chordal)]
    if left or song.drums:
        names = left[:8] + (["others"] if len(left) > 8 else []) + (["the drums"] if song.drums else [])
        changes.say(f"Left out: {', '.join(names)}.")
    vocal = _voice(melody, changes)
    other = _voice(ins, Changes()) if ins is not None else ()
    end = max(one.end for one in (*vocal, *other))
    meters = _meters(song, vocal, changes)
    keys = _keys(song, vocal, chordal, changes)
    sketch = Sketch(
        tempo=_tempo(song, changes),
        meters=meters,
        keys=keys,
        vocal=vocal,
        ins=other,
        chords=_chords(chordal, keys, max(end, song.end), changes),
        sections=_sections(song, changes),
        end=_end(song, end),
    )
    return Imported(compose(sketch, changes), changes.sentences())


def _melody(parts: Sequence[MidiPart], wanted: str | None) -> MidiPart:
    if wanted is not None:
        for part in parts:
            if wanted == part.name:
                return part
        known = ", ".join(_name(one, parts) for one in parts[:12])
        raise Problem(ProblemKind.BAD_REQUEST, f"The file has no track '{wanted}'; it has {known}.", part=wanted)
    named = [one for one in parts if MELODY_NAME.search(one.name) and not CHORD_NAME.search(one.name)]
    return max(named or parts, key=_melodious)


def _melodious(part: MidiPart) -> float:
    """Return how much a part looks like a sung melody: one note at a time, in a singer's range, moving, lasting."""
    tones = part.tones
    overlapping = sum(1 for one, two in pairwise(tones) if two.onset < one.end - Fraction(1, 16))
    alone = 1 - overlapping / len(tones)
    pitch = sum(one.pitch for one in tones) / len(tones)
    in_range = 1.0 if 55 <= pitch <= 79 else max(0.0, 1 - abs(pitch - 67) / 24)
    variety = min(len({one.pitch for one in tones}) / 8, 1.0)
    return 3 * alone + 2 * in_range + variety + min(len(tones) / 64, 1.0) - (1.0 if pitch < _BASS else 0.0)


def _chord_part(parts: Sequence[MidiPart], melody: MidiPart, ins: MidiPart | None) -> MidiPart | None:
    others = [one for one in parts if one is not melody and one is not ins]
    named = [one for one in others if CHORD_NAME.search(one.name)]
    chordal = [one for one in others if is_chordal(one)]
    return next(iter(named or chordal), None)


def _name(part: MidiPart, parts: Sequence[MidiPart]) -> str:
    return f"'{part.name}'" if part.name else f"track {parts.index(part) + 1}"


def _voice(part: MidiPart, changes: Changes) -> tuple[Tone, ...]:
    moved = [on_grid(tone) for tone in part.tones]
    off = sum(
        one.onset != two.onset or one.duration != two.duration for one, two in zip(part.tones, moved, strict=True)
    )
    if off:
        changes.say(f"Notes moved to the nearest sixteenth: {off}.")
    return one_at_a_time(moved, changes)


def _tempo(song: MidiSong, changes: Changes) -> int:
    if not song.tempi:
        return 120
    tempi = sorted(dict(song.tempi).items())
    ends = [*(time for time, _ in tempi[1:]), max(song.end, tempi[-1][0] + 1)]
    lasting: dict[int, Fraction] = {}
    for (time, tempo), end in zip(tempi, ends, strict=True):
        lasting[tempo] = lasting.get(tempo, Fraction(0)) + end - time
    if len(lasting) > 1:
        changes.say("The tempo that lasts longest was taken; the others were left out.")
    return min(max(round(60_000_000 / max(lasting, key=lambda one: lasting[one])), 1), 9999)


def _meters(song: MidiSong, tones: Sequence[Tone], changes: Changes) -> tuple[tuple[Fraction, Meter], ...]:
    found: dict[Fraction, Meter] = {}
    for time, numerator, denominator in sorted(song.meters):
        meter = usable(Meter(max(numerator, 1), denominator))
        if meter != Meter(numerator, denominator):
            changes.say("Meters that the dialect cannot write, rounded: {}.")
        found[round(time / Fraction(1, 4)) * Fraction(1, 4)] = meter
    if not found:
        meter = guessed_meter(tones)
        changes.say(f"The file has no meter; {meter.text} was guessed.")
        found[Fraction(0)] = meter
    if min(found) > 0:
        found[Fraction(0)] = Meter(4, 4)
    return tuple(sorted(found.items(), key=lambda one: one[0]))


def _keys(
    song: MidiSong, tones: Sequence[Tone], chordal: MidiPart | None, changes: Changes
) -> tuple[tuple[Fraction, Key], ...]:
    found = {round(time / Fraction(1, 4)) * Fraction(1, 4): key for time, key in song.keys}
    if not found:
        key = guessed_key([*tones, *(chordal.tones if chordal is not None else ())])
        changes.say(f"The file has no key; {key.name} was guessed.")
        found[Fraction(0)] = key
    ordered = sorted(found.items(), key=lambda one: one[0])
    return ((Fraction(0), ordered[0][1]), *ordered[1:])


def _chords(
    part: MidiPart | None, keys: Sequence[tuple[Fraction, Key]], end: Fraction, changes: Changes
) -> tuple[tuple[Fraction, Chord], ...]:
    if part is None:
        return ()
    found = chords_of(part, keys[0][1], end)
    if found and not part.texts:
        changes.say(f"Chords heard in the notes of one track, to be looked over: {len(found)}.")
    return found


def _sections(song: MidiSong, changes: Changes) -> tuple[tuple[Fraction, str], ...]:
    found = []
    for time, text in sorted(song.markers):
        name = section_label(text)
        if name is not None:
            found.append((round(time / Fraction(1, 4)) * Fraction(1, 4), name))
        elif text.strip():
            changes.say(f"The marker '{text.strip()[:32]}' is no section that the model knows and was left out.")
    return tuple(found)


def _end(song: MidiSong, notes_end: Fraction) -> Fraction:
    """Return where the song ends: where the file does, unless it goes on in silence for more than eight bars."""
    end = round(song.end / Fraction(1, 4)) * Fraction(1, 4)
    return end if end <= notes_end + 32 else notes_end
