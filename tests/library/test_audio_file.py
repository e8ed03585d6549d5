"""Sound files: FLAC at 24 bit, WAV as float, any name, and never a part of a file."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pytest
import soundfile

from yue2_desktop.library import audio_file
from yue2_desktop.library.audio_file import audio_length, read_audio, require_audio_name, write_audio
from yue2_desktop.song.errors import Problem, ProblemKind


def sound(samples: int = 100_000) -> npt.NDArray[np.float32]:
    return np.random.default_rng(5).uniform(-1, 1, (samples, 2)).astype(np.float32)


@pytest.mark.parametrize("name", ["audio.flac", "☃ 🤣 Песня.flac", "AUDIO.FLAC"])
def test_flac_is_24_bit(tmp_path: Path, name: str) -> None:
    # user-reports.md, row 64.
    samples = sound()
    write_audio(tmp_path / name, samples)
    back, rate = read_audio(tmp_path / name)
    assert rate == 48_000
    assert back.shape == samples.shape
    # Half a step of 24 bit, plus the clipping of the topmost value.
    assert np.abs(back - samples).max() <= 2**-23
    with (tmp_path / name).open("rb") as file:
        info = soundfile.info(file)
    assert (info.format, info.subtype) == ("FLAC", "PCM_24")


def test_wav_is_float_and_exact(tmp_path: Path) -> None:
    samples = sound() * 1.5
    write_audio(tmp_path / "a.wav", samples)
    back, rate = read_audio(tmp_path / "a.wav")
    assert rate == 48_000
    assert np.array_equal(back, samples)
    with (tmp_path / "a.wav").open("rb") as file:
        assert soundfile.info(file).subtype == "FLOAT"


def test_flac_clips_instead_of_wrapping(tmp_path: Path) -> None:
    write_audio(tmp_path / "a.flac", np.array([[2.0, -2.0], [1.0, -1.0]], np.float32))
    back, _ = read_audio(tmp_path / "a.flac")
    assert np.allclose(back, [[1, -1], [1, -1]], atol=2**-22)  # one step of 24 bit below 1


def test_no_tags(tmp_path: Path) -> None:
    write_audio(tmp_path / "a.flac", sound(10))
    with (tmp_path / "a.flac").open("rb") as file, soundfile.SoundFile(file) as found:
        assert found.copy_metadata() == {}


def test_columns_in_any_memory_order(tmp_path: Path) -> None:
    samples = np.asfortranarray(sound(50_000))
    write_audio(tmp_path / "a.wav", samples)
    assert np.array_equal(read_audio(tmp_path / "a.wav")[0], samples)


def test_length_without_reading_the_sound(tmp_path: Path) -> None:
    write_audio(tmp_path / "a.flac", sound(1234))
    assert audio_length(tmp_path / "a.flac") == (1234, 48_000)


@pytest.mark.parametrize("name", ["a.mp3", "a", "flac", "a.flac.txt"])
def test_other_suffixes_are_refused(tmp_path: Path, name: str) -> None:
    for attempt in (lambda: require_audio_name(tmp_path / name), lambda: write_audio(tmp_path / name, sound(3))):
        with pytest.raises(Problem, match=r"must end in \.flac \(24 bit\) or \.wav") as caught:
            attempt()
        assert caught.value.kind is ProblemKind.BAD_REQUEST
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_sound_that_is_no_number_fails_loudly(tmp_path: Path, bad: float) -> None:
    samples = sound(100)
    samples[40, 1] = bad
    with pytest.raises(
        Problem, match="audio samples hold 1 values that are not numbers, the first in row 40"
    ) as caught:
        write_audio(tmp_path / "a.flac", samples)
    assert caught.value.kind is ProblemKind.NON_FINITE
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [np.zeros((5, 1), np.float32), np.zeros((0, 2), np.float32), np.zeros((5, 2))])
def test_only_stereo_float32_is_written(tmp_path: Path, wrong: npt.NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match="audio must be"):
        write_audio(tmp_path / "a.flac", wrong)


def test_what_the_format_cannot_hold_is_said(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"could not be encoded .* try the other format"):
        write_audio(tmp_path / "a.flac", sound(3), sample_rate=10**7)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.flac", "a.wav"])
@pytest.mark.parametrize("room", [0, 10_000])
def test_a_disk_that_fills_while_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, room: int
) -> None:
    class Filling:
        """A file on a disk with `room` bytes left."""

        def __init__(self, file: BinaryIO) -> None:
            self._file = file
            self._room = room

        def write(self, data: bytes) -> int:
            self._room -= len(data)
            if self._room < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return self._file.write(data)

        def seek(self, offset: int, whence: int = 0) -> int:
            return self._file.seek(offset, whence)

        def tell(self) -> int:
            return self._file.tell()

    real = audio_file.atomic_file

    @contextmanager
    def filling(path: Path, *, kept: tuple[str, ...] = ()) -> Iterator[Filling]:
        with real(path, kept=kept) as file:
            yield Filling(file)

    monkeypatch.setattr(audio_file, "atomic_file", filling)
    with pytest.raises(Problem) as caught:
        write_audio(tmp_path / name, sound(), kept=("latent.npy",))
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert "kept are latent.npy" in caught.value.sentence
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_sound(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    path.write_bytes(b"fLaC and then nothing of it")
    for read in (read_audio, audio_length):
        with pytest.raises(Problem, match="is not a readable FLAC or WAV file") as caught:
            read(path)
        assert caught.value.kind is ProblemKind.BAD_FILE
    with pytest.raises(Problem, match="is missing"):
        read_audio(tmp_path / "none.flac")
