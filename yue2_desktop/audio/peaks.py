"""The waveform of a take as a pyramid of minima and maxima, so that any zoom is drawn from a few thousand numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Samples that the finest level puts together: 5.3 ms at 48 kHz.
FINEST = 256
#: Each level puts so many of the one below together.
STEP = 4

Samples = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Peaks:
    """`levels[k]` is float32 [n_k, 2]: minimum and maximum over finest * STEP**k samples of both channels."""

    samples: int
    levels: tuple[Samples, ...]
    finest: int = FINEST

    @property
    def nbytes(self) -> int:
        return sum(level.nbytes for level in self.levels)

    def columns(self, start: int, stop: int, width: int) -> Samples:
        """Minimum and maximum [width, 2] of the samples start..stop-1 cut into `width` equal columns.

        Columns beyond the sound are 0. Taken from the coarsest level that is still finer than a column.
        """
        if width < 1 or stop <= start:
            return np.zeros((max(width, 0), 2), np.float32)
        size = (stop - start) / width
        index = 0
        while index + 1 < len(self.levels) and self.finest * STEP ** (index + 1) <= size:
            index += 1
        level, unit = self.levels[index], self.finest * STEP**index
        edges = (start + np.arange(width + 1) * size) / unit
        first = np.clip(np.floor(edges[:-1]).astype(np.int64), 0, len(level))
        last = np.clip(np.maximum(np.ceil(edges[1:]).astype(np.int64), first + 1), 0, len(level))
        out = np.zeros((width, 2), np.float32)
        inside = first < last
        if inside.any():
            # reduceat wants indices inside; the pairs are disjoint runs [first, last).
            bounds = np.stack([first[inside], np.minimum(last[inside], len(level))], axis=1).ravel()
            padded = np.concatenate([level, level[-1:]])
            out[inside, 0] = np.minimum.reduceat(padded[:, 0], bounds)[::2]
            out[inside, 1] = np.maximum.reduceat(padded[:, 1], bounds)[::2]
        return out

    def coarser(self, enough: int) -> Peaks:
        """The pyramid without its finest levels, as long as `enough` numbers are left for the whole sound."""
        index = 0
        while index + 1 < len(self.levels) and len(self.levels[index + 1]) >= enough:
            index += 1
        return Peaks(self.samples, self.levels[index:], self.finest * STEP**index)


class PeakBuilder:
    """The pyramid of a sound that comes in blocks, float32 [samples, channels], each of any length."""

    def __init__(self) -> None:
        self._samples = 0
        self._finest: list[Samples] = []
        self._rest: Samples = np.zeros((0, 1), np.float32)

    def add(self, block: Samples) -> None:
        """Takes the next block; an empty one changes nothing."""
        if not block.size:
            return
        self._samples += len(block)
        if len(self._rest):
            block = np.concatenate([self._rest, block])
        whole = len(block) - len(block) % FINEST
        self._rest = block[whole:].copy()
        if whole:
            self._finest.append(_finest(block[:whole]))

    def peaks(self) -> Peaks:
        """The pyramid of what was added so far; a sound of no samples has one empty level."""
        parts = [*self._finest, *([_finest(self._rest)] if len(self._rest) else [])]
        levels = [np.concatenate(parts) if parts else np.zeros((0, 2), np.float32)]
        while len(levels[-1]) > STEP:
            low, high = _folded(levels[-1][:, 0], levels[-1][:, 1], STEP)
            levels.append(np.stack([low, high], axis=1))
        return Peaks(self._samples, tuple(levels))


def peaks_of(audio: Samples) -> Peaks:
    """The pyramid of audio [samples, channels] float32."""
    builder = PeakBuilder()
    builder.add(audio)
    return builder.peaks()


def _finest(block: Samples) -> Samples:
    """The finest level of a block whose last group of FINEST samples may be short."""
    whole = len(block) // FINEST
    # A group of both channels lies together in memory: its extremes are ten times faster than those a sample.
    groups = block[: whole * FINEST].reshape(whole, FINEST * block.shape[1])
    pairs = np.stack([groups.min(axis=1), groups.max(axis=1)], axis=1)
    rest = block[whole * FINEST :]
    if len(rest):
        pairs = np.concatenate([pairs, [[rest.min(), rest.max()]]])
    return pairs.astype(np.float32)


def _folded(low: Samples, high: Samples, size: int) -> tuple[Samples, Samples]:
    starts = np.arange(0, len(low), size)
    return np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
