"""Measures of sounds: made once, kept, made anew when the sound changes or the cache is damaged."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from yue2_desktop.audio.measured import Measured, measured
from yue2_desktop.library.audio_file import write_audio
from yue2_desktop.library.soundings import Soundings
from yue2_desktop.song.errors import Problem, ProblemKind

RATE = 48_000


class Counting:
    """Measures, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, blocks: Iterable[np.ndarray], sample_rate: int) -> Measured:
        self.calls += 1
        return measured(blocks, sample_rate)


@pytest.fixture
def measure() -> Counting:
    return Counting()


@pytest.fixture
def soundings(tmp_path: Path, measure: Counting) -> Soundings:
    return Soundings(tmp_path / "cache", measure)


def sound(path: Path, seconds: float = 2.5, silence: float = 4.0, peak: float = 0.5) -> Path:
    rng = np.random.default_rng(3)
    loud = rng.uniform(-peak, peak, (round(seconds * RATE), 2)).astype(np.float32)
    loud[0] = peak
    write_audio(path, np.concatenate([loud, np.zeros((round(silence * RATE), 2), np.float32)]))
    return path


def test_measured_once_and_the_same_when_read_back(tmp_path: Path, soundings: Soundings, measure: Counting) -> None:
    path = sound(tmp_path / "☃ 🤣 Песня.flac")
    assert soundings.known(path) is None
    first = soundings.of(path)
    again = soundings.of(path)
    assert measure.calls == 1
    assert first.seconds == again.seconds == 6.5
    assert first.peak_dbfs == again.peak_dbfs == pytest.approx(20 * np.log10(0.5), abs=1e-5)  # FLAC has 24 bits
    assert (again.tail_silence_s, again.silent_tail, again.clipped) == (4.0, True, 0.0)
    assert [level.tobytes() for level in again.waveform] == [level.tobytes() for level in first.waveform]
    assert len(again.waveform[0]) == -(-first.samples // 256)


def test_a_changed_sound_is_measured_anew(tmp_path: Path, soundings: Soundings, measure: Counting) -> None:
    path = sound(tmp_path / "a.wav")
    soundings.of(path)
    sound(path, seconds=1.0)
    assert soundings.known(path) is None
    assert soundings.of(path).seconds == 5.0
    assert measure.calls == 2


def test_silence_comes_back(tmp_path: Path, soundings: Soundings) -> None:
    path = sound(tmp_path / "a.wav", peak=0.0)
    soundings.of(path)
    found = soundings.known(path)
    assert found is not None
    assert found.peak_dbfs == -np.inf
    assert not found.silent_tail


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY\x01\x00"])
def test_a_damaged_measure_is_made_anew(
    tmp_path: Path, soundings: Soundings, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    path = sound(tmp_path / "a.wav")
    whole = soundings.of(path)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        assert soundings.of(path).seconds == whole.seconds
    assert "is made anew" in caplog.text
    assert soundings.known(path) is not None


def test_no_pickle_is_loaded(tmp_path: Path, soundings: Soundings, caplog: pytest.LogCaptureFixture) -> None:
    path = sound(tmp_path / "a.wav")
    soundings.of(path)
    (kept,) = (tmp_path / "cache").iterdir()
    with kept.open("wb") as file:
        np.savez(file, facts=np.array([object()], dtype=object))
    with caplog.at_level(logging.WARNING):
        assert soundings.known(path) is None
    assert "allow_pickle" in caplog.text


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, measure: Counting, caplog: pytest.LogCaptureFixture
) -> None:
    path = sound(tmp_path / "a.wav")
    (tmp_path / "file").write_bytes(b"")
    soundings = Soundings(tmp_path / "file" / "cache", measure)
    with caplog.at_level(logging.WARNING):
        assert soundings.of(path).seconds == 6.5
    assert "could not be kept" in caplog.text


def test_cancelled_within_the_sound(tmp_path: Path, soundings: Soundings) -> None:
    path = sound(tmp_path / "a.wav")
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(Problem) as caught:
        soundings.of(path, cancelled=cancelled)
    assert caught.value.kind is ProblemKind.CANCELLED
    assert len(asked) == 3
    assert soundings.known(path) is None


@pytest.mark.parametrize("data", [None, b"", b"fLaC and then nothing"])
def test_a_sound_that_cannot_be_read(tmp_path: Path, soundings: Soundings, data: bytes | None) -> None:
    path = tmp_path / "a.flac"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Problem, match=r"a\.flac is (missing|not a readable FLAC or WAV file)"):
        soundings.of(path)


def test_a_sound_that_breaks_off(tmp_path: Path, soundings: Soundings) -> None:
    path = sound(tmp_path / "a.flac", silence=0.0)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Problem) as caught:
        soundings.of(path)
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "a.flac" in caught.value.sentence


def test_only_the_named_measures_are_kept(tmp_path: Path, soundings: Soundings) -> None:
    paths = [sound(tmp_path / f"{name}.wav", seconds=0.1, silence=0.1) for name in "abc"]
    for path in paths:
        soundings.of(path)
    soundings.keep_only(paths[:2])
    assert [soundings.known(path) is not None for path in paths] == [True, True, False]
