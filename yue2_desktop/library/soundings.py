"""What was measured of takes' sounds, kept as npz files: levels and waveform, computed once for each sound."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from yue2_desktop.library.audio_file import Audio, audio_blocks, audio_length
from yue2_desktop.library.hash_cache import file_state
from yue2_desktop.library.json_style import sha256_of
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.spelling import place_key
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem, ProblemKind

_VERSION: Final = 1
_NAME_CHARS: Final = 32
_FACTS: Final = "facts"
_LEVEL: Final = "level"
#: A pyramid of the longest song has 9 levels.
_MAX_LEVELS: Final = 32

_log = logging.getLogger(__name__)


class MeasuredLevels(Protocol):
    """The levels that a measure gives (see `audio.levels.Levels`)."""

    @property
    def peak_dbfs(self) -> float: ...
    @property
    def rms_dbfs(self) -> float: ...
    @property
    def clipped(self) -> float: ...
    @property
    def tail_silence_s(self) -> float: ...
    @property
    def has_silent_tail(self) -> bool: ...


class MeasuredPeaks(Protocol):
    """The waveform that a measure gives (see `audio.peaks.Peaks`)."""

    @property
    def samples(self) -> int: ...
    @property
    def levels(self) -> tuple[npt.NDArray[np.float32], ...]: ...


class Measured(Protocol):
    """What a measure gives (see `audio.measured.Measured`)."""

    @property
    def levels(self) -> MeasuredLevels: ...
    @property
    def peaks(self) -> MeasuredPeaks: ...


#: Measures a sound that comes in blocks, float32 [samples, channels], of so many samples a second.
Measure = Callable[[Iterable[Audio], int], Measured]


@dataclass(frozen=True)
class Sounding:
    """A sound that was measured: `waveform` is the pyramid of minima and maxima, float32 [n_k, 2], finest first.

    `finest` is how many samples a pair of its first level stands for.
    Levels are in dB below full scale (-inf for silence), `clipped` is a share of samples, `silent_tail` says that
    the silence at the end is worth a mark.
    """

    samples: int
    sample_rate: int
    peak_dbfs: float
    rms_dbfs: float
    clipped: float
    tail_silence_s: float
    silent_tail: bool
    waveform: tuple[npt.NDArray[np.float32], ...]
    finest: int = 256

    @property
    def seconds(self) -> float:
        """The length of the sound."""
        return self.samples / self.sample_rate


class Soundings:
    """A folder of measures, one file a sound. It is a cache: what is damaged or gone is measured again.

    May be used by several threads: each file is written in one step.
    """

    def __init__(self, folder: Path, measure: Measure) -> None:
        self._folder = folder
        self._measure = measure

    def known(self, sound: Path) -> Sounding | None:
        """The measure of `sound` if it was made before and the file has kept its size and time; reads no sound."""
        try:
            state = file_state(sound)
            return _unpacked(self._file(sound).read_bytes(), state)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
            _log.warning("the measure of %s cannot be read and is made anew: %s", sound, error)
            return None

    def of(self, sound: Path, *, cancelled: Callable[[], bool] = lambda: False) -> Sounding:
        """The measure of `sound`, made now if need be: about half a second for a song.

        Raises Problem(BAD_FILE) when the sound cannot be read and Problem(CANCELLED) soon after `cancelled` says so.
        A measure that cannot be kept is logged.
        """
        known = self.known(sound)
        if known is not None:
            return known
        try:
            state = file_state(sound)
        except OSError as error:
            raise bad_file(sound, "is missing or cannot be read; choose the sound of a take") from error
        sample_rate = audio_length(sound)[1]
        found = _sounding(self._measure(_until(cancelled, audio_blocks(sound)), sample_rate), sample_rate)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_bytes(self._file(sound), _packed(found, state))
        except (OSError, Problem) as error:
            _log.warning("the measure of %s could not be kept: %s", sound, error)
        return found

    def keep_only(self, sounds: Iterable[Path]) -> None:
        """Removes the measures of all other sounds; what cannot be removed is logged."""
        kept = {self._file(sound).name for sound in sounds}
        for file in self._folder.glob("*.npz"):
            if file.name not in kept:
                try:
                    file.unlink(missing_ok=True)
                except OSError as error:
                    _log.warning("the measure %s could not be removed: %s", file, error)

    def _file(self, sound: Path) -> Path:
        key = place_key(sound.absolute()).encode("utf-8", "surrogatepass")
        return self._folder / f"{sha256_of(key)[:_NAME_CHARS]}.npz"


def _until(cancelled: Callable[[], bool], blocks: Iterator[Audio]) -> Iterator[Audio]:
    for block in blocks:
        if cancelled():
            raise Problem(ProblemKind.CANCELLED, "Measuring the sound was cancelled.")
        yield block


def _sounding(measured: Measured, sample_rate: int) -> Sounding:
    levels, peaks = measured.levels, measured.peaks
    return Sounding(
        samples=peaks.samples,
        sample_rate=sample_rate,
        peak_dbfs=levels.peak_dbfs,
        rms_dbfs=levels.rms_dbfs,
        clipped=levels.clipped,
        tail_silence_s=levels.tail_silence_s,
        silent_tail=levels.has_silent_tail,
        waveform=peaks.levels,
    )


def _packed(found: Sounding, state: list[int]) -> bytes:
    facts = np.array([
        (_VERSION, *state, found.samples, found.sample_rate, found.silent_tail),
    ], dtype=np.int64)  # fmt: skip
    levels = np.array([found.peak_dbfs, found.rms_dbfs, found.clipped, found.tail_silence_s], dtype=np.float64)
    buffer = io.BytesIO()
    arrays = {f"{_LEVEL}{index}": level for index, level in enumerate(found.waveform)}
    np.savez(buffer, **{_FACTS: facts[0], "levels": levels, **arrays})
    return buffer.getvalue()


def _unpacked(data: bytes, state: list[int]) -> Sounding | None:
    """The measure in `data`; None where it is of another version or of the sound before it changed."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        version, size, changed, samples, sample_rate, silent_tail = arrays[_FACTS].tolist()
        if version != _VERSION or [size, changed] != state:
            return None
        peak, rms, clipped, tail = arrays["levels"].tolist()
        names = [name for index in range(_MAX_LEVELS) if (name := f"{_LEVEL}{index}") in arrays]
        waveform = tuple(arrays[name] for name in names)
    if not waveform or any(level.ndim != 2 or level.shape[1] != 2 or level.dtype != np.float32 for level in waveform):
        raise ValueError("its waveform has another shape")
    return Sounding(samples, sample_rate, peak, rms, clipped, tail, bool(silent_tail), waveform)
