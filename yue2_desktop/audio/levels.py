"""How loud a sound is, how much of it is clipped, and how much of its end is silence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

#: At or above this a sample counts as clipped: the decoder's output is clamped to 1.
CLIPPED = 0.9999
#: Below this level, for a whole window, a sound counts as silent.
SILENT_DBFS = -60.0
_WINDOW_S = 0.05
#: Samples that are squared in float64 at a time, so that a long song takes no second copy of itself.
_BLOCK = 1 << 18
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


class LevelMeter:
    """Levels of a sound that comes in blocks, float32 [samples, channels] in [-1, 1], each of any length."""

    def __init__(self) -> None:
        self._samples = 0
        self._values = 0
        self._squares = 0.0
        self._peak = 0.0
        self._clipped = 0
        self._last_heard = -1

    def add(self, block: Samples) -> None:
        """Takes the next block; an empty one changes nothing."""
        if not block.size:
            return
        # Channel by channel: a maximum of two neighbours a sample is ten times slower.
        loudness = reduce(np.maximum, np.abs(block).T)
        self._squares += float(np.square(block, dtype=np.float64).sum())
        self._values += block.size
        self._peak = max(self._peak, float(loudness.max()))
        self._clipped += int(np.count_nonzero(loudness >= CLIPPED))
        heard = np.flatnonzero(loudness > 10 ** (SILENT_DBFS / 20))
        if len(heard):
            self._last_heard = self._samples + int(heard[-1])
        self._samples += len(block)

    def levels(self, sample_rate: int) -> Levels:
        """The levels of what was added so far, at so many samples a second."""
        if not self._samples:
            return Levels(0.0, -math.inf, -math.inf, 0.0, 0.0)
        window = max(1, round(_WINDOW_S * sample_rate))
        end = min(self._samples, (self._last_heard // window + 1) * window)
        return Levels(
            seconds=self._samples / sample_rate,
            peak_dbfs=_dbfs(self._peak),
            rms_dbfs=_dbfs(math.sqrt(self._squares / self._values)),
            clipped=self._clipped / self._samples,
            tail_silence_s=(self._samples - end) / sample_rate,
        )


def levels_of(audio: Samples, sample_rate: int) -> Levels:
    """The levels of audio [samples, channels] float32 in [-1, 1]."""
    meter = LevelMeter()
    for start in range(0, len(audio), _BLOCK):
        meter.add(audio[start : start + _BLOCK])
    return meter.levels(sample_rate)


def _dbfs(value: float) -> float:
    return 20 * math.log10(value) if value > 0 else -math.inf
