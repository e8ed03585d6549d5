"""Rounding to 16 bits: no bias, no distortion, the same bits again."""

from __future__ import annotations

import numpy as np
import pytest

from yue2_desktop.library.dither import Dither16

LSB = 1 / 32_768


def test_the_error_has_no_mean_and_one_variance_whatever_the_level() -> None:
    n = 200_000
    for level in (0.0, 0.25 * LSB, 0.5 * LSB, 0.3):
        block = np.full((n, 1), level, np.float32)
        error = Dither16(1).rounded(block)[:, 0] / 32_768 - np.float64(np.float32(level))
        # TPDF dither and rounding: variance 1/4 LSB^2; both bounds are over 5 standard errors of n samples.
        assert abs(error.mean()) < 6 * 0.5 * LSB / np.sqrt(n)
        assert error.var() == pytest.approx(LSB**2 / 4, rel=0.02)


def test_a_tone_below_the_last_bit_is_still_there() -> None:
    tone = 0.4 * LSB * np.sin(2 * np.pi * 1000 * np.arange(48_000) / 48_000)
    block = tone.astype(np.float32)[:, None]
    assert not np.rint(block * 32_768).any(), "plain rounding leaves nothing of it"
    heard = Dither16(2).rounded(block)[:, 0] / 32_768
    # The correlation's standard error is 0.5 LSB / sqrt(n / 2) over 0.4 LSB, about 0.008.
    assert heard @ tone / (tone @ tone) == pytest.approx(1.0, abs=0.05)


def test_the_same_seed_gives_the_same_bits_however_it_is_cut() -> None:
    rng = np.random.default_rng(3)
    sound = rng.uniform(-1, 1, (10_000, 2)).astype(np.float32)
    whole = Dither16(4).rounded(sound)
    dither = Dither16(4)
    parts = [dither.rounded(sound[start : start + 777]) for start in range(0, len(sound), 777)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(whole, Dither16(5).rounded(sound))


def test_full_scale_is_clipped_and_never_wraps() -> None:
    sound = np.array([[1.0, -1.0], [1.5, -1.5]] * 500, np.float32)
    out = Dither16(6).rounded(sound)
    assert out[:, 0].min() >= 32_766
    assert out[:, 1].max() <= -32_767
