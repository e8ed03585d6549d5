"""Chord symbols from a MIDI part: as its texts name them, else as its notes sound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from yue2_desktop.score.chords import QUALITIES, Chord, parse_chord
from yue2_desktop.score.importing.grid import GRID
from yue2_desktop.score.importing.midi_file import MidiPart
from yue2_desktop.score.importing.sketch import Tone
from yue2_desktop.score.keys import Key

#: Chords are looked for on every beat; shorter ones pass.
_STEP = Fraction(1)
#: The plainer quality is taken where two fit alike.
_PLAIN_FIRST = ("", "m", "7", "m7", "maj7", "sus4", "sus2", "6", "m6", "dim", "aug", "m7b5", "dim7", "7sus4", "m(maj7)")


def chords_of(part: MidiPart, key: Key, end: Fraction) -> tuple[tuple[Fraction, Chord], ...]:
    """Return the chords of a part with the times (quarters, on the grid) at which they begin."""
    named = [(round(time / GRID) * GRID, parse_chord(text)) for time, text in part.texts]
    found = {time: chord for time, chord in named if chord is not None and time < end}
    if found:
        return tuple(sorted(found.items(), key=lambda one: one[0]))
    heard: list[tuple[Fraction, Chord]] = []
    time = Fraction(0)
    tones = part.tones
    first = 0
    while time < end:
        while first < len(tones) and tones[first].end <= time and tones[first].onset < time - 64:
            first += 1
        chord = _heard([one for one in tones[first:] if one.onset < time + _STEP], time, key)
        if chord is not None and (not heard or heard[-1][1] != chord):
            heard.append((time, chord))
        time += _STEP
    return tuple(heard)


def is_chordal(part: MidiPart) -> bool:
    """Return whether at least three notes sound together most of the time."""
    together = 0
    onsets: dict[Fraction, int] = {}
    for tone in part.tones:
        at = round(tone.onset / GRID) * GRID
        onsets[at] = onsets.get(at, 0) + 1
    together = sum(1 for count in onsets.values() if count >= 3)
    return bool(onsets) and together * 2 >= len(onsets)


def _heard(tones: Sequence[Tone], time: Fraction, key: Key) -> Chord | None:
    """Return the chord that sounds during a beat, None for fewer than three pitch classes."""
    sounding = [one for one in tones if one.end > time and _overlap(one, time) * 2 >= min(one.duration, _STEP)]
    classes = {one.pitch % 12 for one in sounding}
    if len(classes) < 3:
        return None
    bass = min(one.pitch for one in sounding) % 12
    best: tuple[float, Chord] | None = None
    for root in classes:
        for rank, quality in enumerate(_PLAIN_FIRST):
            wanted = {(root + step) % 12 for step in QUALITIES[quality]}
            score = len(wanted & classes) - len(wanted - classes) - 0.8 * len(classes - wanted)
            score += 0.4 * (root == bass) - 0.02 * rank
            if best is None or score > best[0]:
                spelled_bass = key.usual(bass) if bass != root and bass in wanted else None
                best = (score, Chord(key.usual(root), quality, spelled_bass))
    return best[1] if best is not None else None


def _overlap(tone: Tone, time: Fraction) -> Fraction:
    return min(tone.end, time + _STEP) - max(tone.onset, time)
