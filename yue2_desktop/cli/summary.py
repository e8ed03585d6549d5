"""What came of a render, in a few lines: length, levels, what was cut, where the files are."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from yue2_desktop.cli.durations import clock
from yue2_desktop.library.names import SCORE, TakeStage
from yue2_desktop.library.record import TakeRecord
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.stages import SAMPLE_RATE
from yue2_desktop.song.wording import path_text

_BLOCK_FRAMES: Final = 480_000


class Summary(Protocol):
    """What a command reports at its end."""

    def to_json(self) -> dict[str, object]: ...

    def lines(self) -> list[str]: ...


@dataclass(frozen=True)
class Levels:
    """Loudness of a sound: peak and RMS in dB below full scale (None for silence), share of samples at it."""

    peak_dbfs: float | None
    rms_dbfs: float | None
    clipped: float


@dataclass(frozen=True)
class TakeSummary:
    """A take as far as it was asked for. `frames` counts 1/25 s; `levels` is None without audio."""

    folder: str
    identity: str
    seed: int
    last: TakeStage
    frames: int | None
    seconds: float | None
    score_truncated: bool
    song_truncated: bool
    levels: Levels | None
    files: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The summary as plain values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The summary for people."""
        made = {
            TakeStage.PLAN: "The score is written",
            TakeStage.SEMANTIC: "The singing is done, as tokens",
            TakeStage.LATENTS: "The sound is shaped, as latents",
            TakeStage.AUDIO: "The song is ready",
        }[self.last]
        length = "" if self.seconds is None else f": {clock(self.seconds)}"
        lines = [f"{made}{length}."]
        if self.levels is not None:
            lines.append(_level_words(self.levels))
        if self.score_truncated:
            lines.append(
                "The score is not finished: it met its ceiling of tokens. "
                "Raise max_tokens in --abc-sampling for a longer one."
            )
        if self.song_truncated and self.frames is not None:
            lines.append(
                f"The song is not finished: it was stopped at {self.frames:,} frames "
                f"({clock(self.frames / FRAMES_PER_SECOND)}). Raise --max-frames for the rest."
            )
        lines.append(f"Files in {self.folder}: {', '.join(self.files)}")
        return lines


@dataclass(frozen=True)
class SoundSummary:
    """An audio file that was made from latents alone."""

    file: str
    frames: int
    samples: int
    levels: Levels

    def to_json(self) -> dict[str, object]:
        """The summary as plain values."""
        return {**asdict(self), "seconds": self.samples / SAMPLE_RATE}

    def lines(self) -> list[str]:
        """The summary for people."""
        return [f"The audio is ready: {clock(self.samples / SAMPLE_RATE)} in {self.file}", _level_words(self.levels)]


def summarise(folder: Path, record: TakeRecord, levels: Levels | None, last: TakeStage) -> TakeSummary:
    """The summary of the take in `folder`, up to the stage `last`."""
    stages = record.stages
    frames, samples = stages[TakeStage.SEMANTIC].size, stages[TakeStage.AUDIO].size
    files = [name for name in (record.audio_file, SCORE) if name in record.files]
    return TakeSummary(
        folder=path_text(folder),
        identity=record.identity,
        seed=record.seeds["noise"],
        last=last,
        frames=frames,
        seconds=samples / SAMPLE_RATE if samples else frames / FRAMES_PER_SECOND if frames else None,
        score_truncated=bool(stages[TakeStage.PLAN].truncated),
        song_truncated=bool(stages[TakeStage.SEMANTIC].truncated),
        levels=levels,
        files=tuple(files or record.files),
    )


def levels_of(audio: npt.NDArray[np.float32]) -> Levels:
    """The levels of `audio`, float32 [samples, channels] in -1..1."""
    peak, squares, clipped = 0.0, 0.0, 0
    for start in range(0, len(audio), _BLOCK_FRAMES):
        block = np.abs(audio[start : start + _BLOCK_FRAMES].astype(np.float64))
        peak = max(peak, float(block.max()))
        squares += float(np.square(block).sum())
        clipped += int((block >= 1.0).sum())
    return Levels(_dbfs(peak), _dbfs(math.sqrt(squares / audio.size)), clipped / audio.size)


def _dbfs(amplitude: float) -> float | None:
    return round(20 * math.log10(amplitude), 2) if amplitude > 0 else None


def _level_words(levels: Levels) -> str:
    if levels.peak_dbfs is None or levels.rms_dbfs is None:
        return "It is silent: every sample is zero."
    clipped = f"{100 * levels.clipped:.2g} % of the samples are clipped" if levels.clipped else "nothing is clipped"
    return f"Peak {levels.peak_dbfs:.1f} dBFS, loudness (RMS) {levels.rms_dbfs:.1f} dBFS, {clipped}."
