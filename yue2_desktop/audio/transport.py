"""Where playing stands: position, loop and gain, apart from any device. Blocks are pulled from it by a sink."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

#: A jump or a change of gain is faded over so many samples (5 ms at 48 kHz), so that nothing clicks.
FADE = 240


@dataclass(frozen=True)
class Loop:
    """A region in samples, [start, stop)."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError("a loop needs a start before its stop")


class Transport:
    """One sound, its position and loop. `pull` is called by the sink's thread, everything else by the window's."""

    def __init__(self, audio: Samples, on_end: Callable[[], None] | None = None) -> None:
        """audio [samples, channels] float32; `on_end` is called by the pulling thread when the sound is over."""
        self._audio = audio
        self._lock = threading.Lock()
        self._position = 0
        self._loop: Loop | None = None
        self._gain = self._next_gain = 1.0
        self._jump_from: int | None = None
        self._on_end = on_end
        self._ended = False

    @property
    def length(self) -> int:
        return len(self._audio)

    @property
    def channels(self) -> int:
        return int(self._audio.shape[1])

    @property
    def position(self) -> int:
        """The sample that is pulled next."""
        with self._lock:
            return self._position

    @property
    def at_end(self) -> bool:
        with self._lock:
            return self._ended

    def seek(self, position: int) -> None:
        """Goes on at a sample; outside of the sound its nearest end is taken."""
        with self._lock:
            self._jump_from = self._position
            self._position = min(max(position, 0), self.length)
            self._ended = False

    def set_loop(self, loop: Loop | None) -> None:
        """Plays a region again and again; a position behind it goes to its start when it is pulled next."""
        with self._lock:
            self._loop = loop if loop is None or loop.start < self.length else None

    @property
    def loop(self) -> Loop | None:
        with self._lock:
            return self._loop

    def set_gain(self, gain: float) -> None:
        """Loudness, 0 to 1; reached within the next block."""
        with self._lock:
            self._next_gain = min(max(gain, 0.0), 1.0)

    def pull(self, frames: int) -> Samples:
        """The next block [frames, channels]; silence behind the end."""
        out = np.zeros((frames, self.channels), np.float32)
        with self._lock:
            ended_before = self._ended
            jump, self._jump_from = self._jump_from, None
            filled = self._fill(out)
            if jump is not None:
                _blend(out, self._audio[jump : jump + FADE])
            self._apply_gain(out)
            ended = self._ended = filled < frames
        if ended and not ended_before and self._on_end is not None:
            self._on_end()
        return out

    def _fill(self, out: Samples) -> int:
        filled = 0
        while filled < len(out):
            loop = self._loop
            stop = min(loop.stop, self.length) if loop is not None else self.length
            if loop is not None and self._position >= stop:
                seam, self._position = self._position, loop.start
                part = self._take(out, filled, stop)
                _blend(out[filled : filled + part], self._audio[seam : seam + FADE])
            else:
                part = self._take(out, filled, stop)
            if part == 0:
                break
            filled += part
        return filled

    def _take(self, out: Samples, filled: int, stop: int) -> int:
        count = min(len(out) - filled, stop - self._position)
        if count <= 0:
            return 0
        out[filled : filled + count] = self._audio[self._position : self._position + count]
        self._position += count
        return count

    def _apply_gain(self, out: Samples) -> None:
        if self._gain == self._next_gain:
            if self._gain != 1.0:
                out *= self._gain
            return
        ramp = min(FADE, len(out))
        gains = np.full(len(out), self._next_gain, np.float32)
        gains[:ramp] = np.linspace(self._gain, self._next_gain, ramp, dtype=np.float32)
        out *= gains[:, None]
        self._gain = self._next_gain


def _blend(block: Samples, tail: Samples) -> None:
    """Fades from what would have come before a jump into what comes now."""
    count = min(len(block), len(tail), FADE)
    if count:
        weights = np.linspace(0, 1, count, endpoint=False, dtype=np.float32)[:, None]
        block[:count] = block[:count] * weights + tail[:count] * (1 - weights)
