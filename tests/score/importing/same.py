"""Whether two scores say the same."""

from __future__ import annotations

from yue2_desktop.score.elements import VOICES
from yue2_desktop.score.model import Score
from yue2_desktop.score.timeline import chords, keys, meters, sounds


def assert_same(one: Score, other: Score, *, spelled: bool = True) -> None:
    """Check that sounding notes (and their spelling), chords, keys, meters, tempo and sections are equal."""
    for voice in VOICES:
        mine, theirs = sounds(one, voice), sounds(other, voice)
        assert [(s.onset, s.duration, s.pitch) for s in mine] == [(s.onset, s.duration, s.pitch) for s in theirs]
        if spelled:
            assert [s.spelled for s in mine] == [s.spelled for s in theirs]
    assert [(c.onset, c.symbol.text) for c in chords(one)] == [(c.onset, c.symbol.text) for c in chords(other)]
    assert keys(one) == keys(other)
    assert meters(one) == meters(other)
    assert one.header.tempo == other.header.tempo
    assert [(s.label, s.start) for s in one.sections] == [(s.label, s.start) for s in other.sections]
