"""The preview: pieces are the whole, nothing clips or clicks, positions are those of the score."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from tests.score.samples import GOOD, MALFORMED, bare, header, random_score
from yue2_desktop.score.chords import parse_chord
from yue2_desktop.score.elements import VOICES, Meter
from yue2_desktop.score.parser import parse
from yue2_desktop.score.preview.plan import Part, beats, samples_of, tones, voicing
from yue2_desktop.score.preview.synth import Mix, Preview, preview
from yue2_desktop.score.preview.tones import RATE, chord_pad, click, frequency, played, sung
from yue2_desktop.score.timeline import sounds
from yue2_desktop.song.errors import Problem, ProblemKind

FULL = Mix(vocal=1, ins=1, chords=1, click=1)


def sound_of(text: str) -> Preview:
    return preview(parse(text).score)


@pytest.mark.parametrize("name", ["03_full_waltz_Gm", "05_full_changes", "06_full_tuplets"])
def test_pieces_of_any_size_are_the_whole(name: str) -> None:
    whole = sound_of(GOOD[name]).render(0, sound_of(GOOD[name]).length, FULL)
    rng = random.Random(7)
    sound, at, pieces = sound_of(GOOD[name]), 0, []
    while at < sound.length:
        size = min(rng.choice([1, 480, 4801, 50000]), sound.length - at)
        pieces.append(sound.render(at, size, FULL))
        at += size
    assert np.array_equal(np.concatenate(pieces), whole)


def test_a_start_anywhere_gives_the_same_samples_from_there_on() -> None:
    sound = sound_of(GOOD["10_full_long_104bars"])
    start = sound.length // 2
    there = sound_of(GOOD["10_full_long_104bars"]).render(start, RATE, FULL)
    assert np.array_equal(sound.render(start - 500, RATE + 500, FULL)[500:], there)


@pytest.mark.parametrize("name", GOOD)
def test_samples_are_stereo_float32_within_one_and_end_in_silence(name: str) -> None:
    sound = sound_of(GOOD[name])
    whole = np.concatenate(list(sound.blocks(0, RATE, FULL)))
    assert whole.shape == (sound.length, 2)
    assert whole.dtype == np.float32
    assert 0.05 < np.abs(whole).max() <= 1.0
    assert np.abs(whole[-RATE // 10 :]).max() == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_fast_and_dense_scores_stay_within_one(seed: int) -> None:
    sound = sound_of(random_score(random.Random(seed)))
    peak = max(np.abs(block).max() for block in sound.blocks(0, RATE, FULL))
    assert peak <= 1.0


@pytest.mark.parametrize("tone", [sung(60, RATE // 2), played(72, RATE // 2), click(accent=True)])
def test_tones_begin_and_end_without_a_click(tone: np.ndarray) -> None:
    assert np.abs(tone).max() <= 1.0
    assert abs(tone[0]) < 0.01
    assert abs(tone[-1]) < 0.01


def test_a_tone_is_as_high_as_its_pitch() -> None:
    """The strongest line of the spectrum lies within a hertz of the fundamental (bins are 1 Hz wide)."""
    for pitch in (45, 69, 88):
        tone = played(pitch, RATE)[:RATE]
        strongest = int(np.abs(np.fft.rfft(tone)).argmax())
        assert strongest == pytest.approx(frequency(pitch), abs=1.0)


def test_chords_differ_left_and_right() -> None:
    pad = chord_pad(voicing(parse_chord("Am")), RATE)
    assert pad.shape[1] == 2
    assert not np.array_equal(pad[:, 0], pad[:, 1])


def test_gains_leave_parts_out_and_glide() -> None:
    text = bare('"C"c16|', "e16|")
    sound = sound_of(text)
    nothing = Mix(vocal=0, ins=0, chords=0, click=0)
    assert not sound.render(0, RATE, nothing).any()
    parts = [
        sound.render(0, RATE, Mix(**{**dict.fromkeys(("vocal", "ins", "chords", "click"), 0.0), name: 1.0}))
        for name in ("vocal", "ins", "chords", "click")
    ]
    assert all(part.any() for part in parts)
    # float32 sums of four parts in another order differ by rounding only
    np.testing.assert_allclose(sum(parts), sound.render(0, RATE, FULL), atol=1e-6)
    glide = sound.render(RATE, 4800, nothing, before=FULL)
    steady = sound.render(RATE, 4800, FULL)
    np.testing.assert_allclose(glide[0], steady[0], atol=1e-6)
    assert not glide[-1].any()


def test_a_start_inside_the_song_is_faded_in() -> None:
    sound = sound_of(GOOD["01_full_twinkle"])
    first = next(iter(sound.blocks(RATE * 5, 4800)))
    assert not first[0].any()
    assert np.array_equal(first[240:], sound.render(RATE * 5, 4800)[240:])


def test_positions_follow_to_the_note() -> None:
    score = parse(GOOD["06_full_tuplets"]).score
    sound = preview(score)
    for one in (one for voice in VOICES for one in sounds(score, voice)):
        back = sound.quarters_at(sound.sample_at(one.onset))
        assert abs(back - one.onset) * 60 / score.header.tempo <= Fraction(1, RATE)


def test_every_note_is_planned_at_its_time() -> None:
    score = parse(GOOD["05_full_changes"]).score
    planned = tones(score)
    for voice, part in zip(VOICES, (Part.VOCAL, Part.INS), strict=True):
        mine = [(samples_of(one.onset, 120), one.pitch) for one in sounds(score, voice)]
        assert [(one.start, one.pitches[0]) for one in planned if one.part is part] == mine
    chords = [one for one in planned if one.part is Part.CHORDS]
    assert {one.start for one in chords} >= {samples_of(bar.start, 120) for bar in score.vocal_bars}


@pytest.mark.parametrize(
    ("meter", "expected"), [(Meter(4, 4), 4), (Meter(6, 8), 2), (Meter(12, 8), 4), (Meter(3, 8), 3), (Meter(5, 8), 5)]
)
def test_clicks_fall_on_beats(meter: Meter, expected: int) -> None:
    assert len(beats(meter)) == expected


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_scores_play_as_far_as_they_were_understood(name: str) -> None:
    score = parse(MALFORMED[name]).score
    if not score.bar_count:
        with pytest.raises(Problem, match="no bars") as caught:
            preview(score)
        assert caught.value.kind is ProblemKind.BAD_SCORE
        return
    assert preview(score).render(0, RATE).shape == (RATE, 2)


def test_a_song_of_hours_is_refused_with_its_length() -> None:
    rests = "Z4|" * 20
    text = header(tempo=1) + f"V: Vocal\n{rests}\nV: Ins\n{rests}\n"
    with pytest.raises(Problem, match="lasts 320 minutes"):
        sound_of(text)


@pytest.mark.parametrize("gain", [-0.1, 1.1, float("nan")])
def test_gains_outside_are_an_error(gain: float) -> None:
    with pytest.raises(ValueError, match="gain"):
        Mix(vocal=gain)
