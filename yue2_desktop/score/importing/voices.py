"""Turning what several voices or instruments play into one note at a time, and telling which part is the melody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from yue2_desktop.score.importing.sketch import MAX_NOTES, Changes, Tone
from yue2_desktop.song.errors import Problem, ProblemKind

MELODY_NAME = re.compile(
    r"vocal|voice|vox|voc\b|melod|lead|sing|sopran|gesang|stimme|voix|voz|canto|lyric|solo|karaoke|主旋律|人声", re.I
)
INS_NAME = re.compile(r"^(?:ins|inst\.?|ins melody)$", re.IGNORECASE)
CHORD_NAME = re.compile(r"chord|harmon|pad|akkord|accord|comp\b|strum|和弦", re.IGNORECASE)


def one_at_a_time(tones: Iterable[Tone], changes: Changes) -> tuple[Tone, ...]:
    """Return tones of which no two sound together: of those that begin together the highest, each until the next.

    Raises Problem(BAD_FILE) for more notes than a score can have.
    """
    found: list[Tone] = []
    for tone in sorted(tones, key=lambda one: (one.onset, -one.pitch, -one.duration)):
        if found and found[-1].onset == tone.onset:
            changes.say("Notes below the melody left out, since a voice has one at a time: {}.")
            continue
        if found and found[-1].end > tone.onset:
            changes.say("Notes cut short where the next one begins: {}.")
            found[-1] = replace(found[-1], duration=tone.onset - found[-1].onset, tie=False)
        found.append(tone)
    if len(found) > MAX_NOTES:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The melody has {len(found):,} notes, more than the {MAX_NOTES:,} of a score; cut the file to one song.",
        )
    return tuple(found)


def in_range(tones: Iterable[Tone], changes: Changes) -> list[Tone]:
    """Return the tones within MIDI's 0..127; others are left out and said."""
    kept = []
    for tone in tones:
        if 0 <= tone.pitch <= 127:
            kept.append(tone)
        else:
            changes.say("Notes outside the range of MIDI left out: {}.")
    return kept
