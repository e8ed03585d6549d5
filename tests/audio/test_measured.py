"""Levels and waveform in blocks are those of the whole sound, however it is cut."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from yue2_desktop.audio.levels import levels_of
from yue2_desktop.audio.measured import measured
from yue2_desktop.audio.peaks import FINEST, STEP, peaks_of

RATE = 48_000


def song(seconds: float, silence: float) -> np.ndarray:
    rng = np.random.default_rng(20260914)
    sound = rng.uniform(-0.9, 0.9, (round(seconds * RATE), 2)).astype(np.float32)
    sound[1000:1010, 0] = 1.0
    return np.concatenate([sound, np.zeros((round(silence * RATE), 2), np.float32)])


@pytest.mark.parametrize("size", [1_000, FINEST, 7_777, RATE, 10 * RATE])
def test_blocks_give_what_the_whole_gives(size: int) -> None:
    audio = song(2.0, 4.0)
    found = measured((audio[start : start + size] for start in range(0, len(audio), size)), RATE)
    whole = levels_of(audio, RATE)
    # The mean square is summed in another order of float64 additions.
    assert found.levels.rms_dbfs == pytest.approx(whole.rms_dbfs, abs=1e-9)
    assert (found.levels.peak_dbfs, found.levels.clipped, found.levels.tail_silence_s) == (0.0, 10 / len(audio), 4.0)
    assert found.levels.seconds == 6.0
    assert found.levels.has_silent_tail
    pyramid = peaks_of(audio)
    assert found.peaks.samples == len(audio)
    assert [level.tobytes() for level in found.peaks.levels] == [level.tobytes() for level in pyramid.levels]


def test_the_pyramid_holds_the_extremes() -> None:
    audio = song(1.0, 0.1)
    levels = measured([audio], RATE).peaks.levels
    assert len(levels[0]) == math.ceil(len(audio) / FINEST)
    for finer, coarser in pairwise(levels):
        assert len(coarser) == math.ceil(len(finer) / STEP)
    for level in levels:
        assert level[:, 0].min() == audio.min()
        assert level[:, 1].max() == audio.max()


def test_a_sound_of_nothing() -> None:
    found = measured([np.zeros((0, 2), np.float32)], RATE)
    assert found.levels.seconds == 0.0
    assert found.levels.peak_dbfs == -math.inf
    assert found.peaks.samples == 0
    assert found.peaks.columns(0, 100, 10).tolist() == [[0.0, 0.0]] * 10


def test_silence_has_no_tail_worth_a_mark() -> None:
    levels = measured([np.zeros((5 * RATE, 2), np.float32)], RATE).levels
    assert levels.is_silent
    assert levels.tail_silence_s == 5.0
    assert not levels.has_silent_tail
