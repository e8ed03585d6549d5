"""Where a silent tail is cut, and that the cut fades to nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.audio.measured import measured
from yue2_desktop.library.audio_file import audio_blocks, write_audio
from yue2_desktop.library.soundings import Sounding, Soundings
from yue2_desktop.library.trim import faded, trim_offer

RATE = 48_000


def sounding(tmp_path: Path, sound_s: float, silence_s: float) -> Sounding:
    rng = np.random.default_rng(5)
    audio = np.zeros((round((sound_s + silence_s) * RATE), 2), np.float32)
    audio[: round(sound_s * RATE)] = rng.uniform(-0.5, 0.5, (round(sound_s * RATE), 2))
    write_audio(tmp_path / "a.wav", audio)
    return Soundings(tmp_path / "cache", measured).of(tmp_path / "a.wav")


def test_a_second_is_kept_after_the_last_sound(tmp_path: Path) -> None:
    offer = trim_offer(sounding(tmp_path, 2.0, 8.0))
    assert offer is not None
    # The end of the sound is found to a window of 50 ms.
    assert offer.end == pytest.approx(3.0 * RATE, abs=0.05 * RATE)
    assert (offer.seconds, offer.removed_seconds) == (10.0, pytest.approx(7.0, abs=0.05))


@pytest.mark.parametrize(("sound_s", "silence_s"), [(2.0, 0.0), (2.0, 2.9), (0.0, 5.0)])
def test_no_offer_without_a_tail_worth_it(tmp_path: Path, sound_s: float, silence_s: float) -> None:
    assert trim_offer(sounding(tmp_path, sound_s, silence_s)) is None


@pytest.mark.parametrize("size", [100, 2_400, 1_000_000])
def test_the_end_fades(size: int) -> None:
    sound = np.ones((10_000, 2), np.float32)
    blocks = [sound[start : start + size] for start in range(0, len(sound), size)]
    out = np.concatenate(list(faded(blocks, len(sound), RATE)))
    assert np.array_equal(out[:7_599], sound[:7_599])
    assert out[-1].tolist() == [0.0, 0.0]
    assert (np.diff(out[7_600:, 0]) < 0).all()
    assert out[7_600, 0] > 0.99


def test_a_sound_shorter_than_the_fade() -> None:
    out = np.concatenate(list(faded([np.ones((10, 1), np.float32)], 10, RATE)))
    assert (out[0, 0], out[-1, 0]) == (pytest.approx(0.9), 0.0)


def test_blocks_end_where_asked(tmp_path: Path) -> None:
    write_audio(tmp_path / "a.wav", np.ones((100_000, 2), np.float32))
    blocks = list(audio_blocks(tmp_path / "a.wav", stop=50_000))
    assert [len(block) for block in blocks] == [48_000, 2_000]
