"""How loud a sound is, how much of it is clipped, and how much of its end is silence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

#: At or above this a sample counts as clipped: the decoder's output is clamped to 1.
CLIPPED = 0.9999
#: Below this level, for a whole window, a sound counts as silent.
SILENT_DBFS = -60.0
_WINDOW_S = 0.05
#: Silence at the end that is worth a mark: songs fade, but not for this long (user report: song, then silence).
TAIL_WORTH_A_MARK_S = 3.0


@dataclass(frozen=True)
class Levels:
    """`peak_dbfs` and `rms_dbfs` are -inf for silence; `clipped` is a share of samples; `tail_silence_s` in seconds."""

    seconds: float
    peak_dbfs: float
    rms_dbfs: float
    clipped: float
    tail_silence_s: float

    @property
    def is_silent(self) -> bool:
        return self.peak_dbfs < SILENT_DBFS

    @property
    def has_silent_tail(self) -> bool:
        """Whether the sound ends long before the file does."""
        return not self.is_silent and self.tail_silence_s >= TAIL_WORTH_A_MARK_S


def levels_of(audio: Samples, sample_rate: int) -> Levels:
    """The levels of audio [samples, channels] float32 in [-1, 1]."""
    seconds = len(audio) / sample_rate
    if not audio.size:
        return Levels(0.0, -math.inf, -math.inf, 0.0, 0.0)
    loudness = np.abs(audio).max(axis=1)
    rms = math.sqrt(float(np.mean(np.square(audio, dtype=np.float64))))
    return Levels(
        seconds=seconds,
        peak_dbfs=_dbfs(float(loudness.max())),
        rms_dbfs=_dbfs(rms),
        clipped=float((loudness >= CLIPPED).mean()),
        tail_silence_s=_tail(loudness, sample_rate),
    )


def _tail(loudness: Samples, sample_rate: int) -> float:
    window = max(1, round(_WINDOW_S * sample_rate))
    loudest = np.maximum.reduceat(loudness, np.arange(0, len(loudness), window))
    sounding = np.flatnonzero(loudest > 10 ** (SILENT_DBFS / 20))
    end = min(len(loudness), (int(sounding[-1]) + 1) * window) if len(sounding) else 0
    return (len(loudness) - end) / sample_rate


def _dbfs(value: float) -> float:
    return 20 * math.log10(value) if value > 0 else -math.inf
