"""The sound of a take as FLAC (24 bit) or WAV (32-bit float), written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import soundfile

from yue2_desktop.library.arrays import require_finite
from yue2_desktop.library.encoding import EncodingError, encode
from yue2_desktop.library.reading import bad_file, require_plain_file
from yue2_desktop.song.atomic import atomic_file
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.stages import CHANNELS, SAMPLE_RATE
from yue2_desktop.song.wording import path_text

Audio = npt.NDArray[np.float32]

#: Suffix to libsndfile's container and sample format (spec/yue2.md, section 9).
_FORMATS: Final = {".flac": ("FLAC", "PCM_24"), ".wav": ("WAV", "FLOAT")}
_BLOCK_FRAMES: Final = SAMPLE_RATE


@dataclass(frozen=True)
class SoundFormat:
    """The shape of a sound: samples of each channel, samples a second, channels."""

    samples: int
    sample_rate: int
    channels: int


def require_audio_name(path: Path) -> None:
    """Raises Problem(BAD_REQUEST) unless `path` ends in .flac or .wav, before any work is done for it."""
    if path.suffix.lower() not in _FORMATS:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{path_text(path)} must end in .flac (24 bit) or .wav (32-bit float).",
            path=path_text(path),
        )


def write_audio(
    path: Path, samples: Audio, *, sample_rate: int = SAMPLE_RATE, kept: Sequence[str] | None = None
) -> None:
    """Writes `samples`, float32 [n, 2] in -1..1 with n >= 1, in one step; no tags are embedded.

    FLAC clips what lies outside -1..1. Raises Problem(BAD_REQUEST) for another suffix, Problem(NON_FINITE)
    for NaN or infinities, ValueError for another shape or dtype, and Problem(DISK_FULL) or (BAD_FILE) when
    the file cannot be written; then `path` is as it was. `kept` names files that are safe already.
    """
    require_audio_name(path)
    if samples.ndim != 2 or samples.shape[1] != CHANNELS or samples.shape[0] < 1:
        raise ValueError(f"audio must be [samples, {CHANNELS}], not {list(samples.shape)}")
    if samples.dtype != np.float32:
        raise ValueError(f"audio must be float32, not {samples.dtype}")
    require_finite(samples, "audio samples")
    container, subtype = _FORMATS[path.suffix.lower()]
    with atomic_file(path, kept=kept) as file:
        blocks = (samples[start : start + _BLOCK_FRAMES] for start in range(0, len(samples), _BLOCK_FRAMES))
        try:
            encode(file, blocks, sample_rate=sample_rate, channels=CHANNELS, container=container, subtype=subtype)
        except EncodingError as error:
            raise bad_file(path, f"could not be encoded ({error}); try the other format") from error


def read_audio(path: Path) -> tuple[Audio, int]:
    """The samples (float32 [n, channels]) and the rate of an audio file; Problem(BAD_FILE) if it is none."""
    require_plain_file(path)
    try:
        with path.open("rb") as file, soundfile.SoundFile(file) as sound:
            samples: Audio = sound.read(dtype="float32", always_2d=True)
            return samples, int(sound.samplerate)
    except (soundfile.SoundFileError, OSError) as error:
        raise _unreadable(path) from error


def audio_blocks(path: Path, *, stop: int | None = None) -> Iterator[Audio]:
    """The samples of an audio file, float32 [n, channels], a second at a time, up to sample `stop` (None: all).

    Raises Problem(BAD_FILE) when it is none or breaks off in the middle.
    """
    require_plain_file(path)
    try:
        with path.open("rb") as file, soundfile.SoundFile(file) as sound:
            left = int(sound.frames) if stop is None else min(stop, int(sound.frames))
            while left > 0:
                block: Audio = sound.read(min(left, _BLOCK_FRAMES), dtype="float32", always_2d=True)
                if not len(block):
                    raise bad_file(path, "ends before its length says; render its take again, or use another")
                left -= len(block)
                yield block
    except (soundfile.SoundFileError, OSError) as error:
        raise _unreadable(path) from error


def audio_format(path: Path) -> SoundFormat:
    """What the header of an audio file says; Problem(BAD_FILE) if it is none."""
    require_plain_file(path)
    try:
        with path.open("rb") as file, soundfile.SoundFile(file) as sound:
            return SoundFormat(int(sound.frames), int(sound.samplerate), int(sound.channels))
    except (soundfile.SoundFileError, OSError) as error:
        raise _unreadable(path) from error


def audio_length(path: Path) -> tuple[int, int]:
    """Length in samples and samples a second of an audio file, from its header; Problem(BAD_FILE) if none."""
    found = audio_format(path)
    return found.samples, found.sample_rate


def _unreadable(path: Path) -> Problem:
    return bad_file(path, "is not a readable FLAC or WAV file; give the audio of a take")
