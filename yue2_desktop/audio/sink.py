"""Where blocks go: a sound device, or nowhere at the same pace. A device is never touched before it is needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]
#: pull(frames) -> block [frames, channels].
Pull = Callable[[int], Samples]


class SinkError(Exception):
    """A device that cannot be opened or was lost, in one sentence with what to do."""


class AudioSink(Protocol):
    """Pulls blocks at the pace of its clock between `start` and `stop`."""

    @property
    def name(self) -> str:
        """The device, for people."""
        ...

    @property
    def latency_s(self) -> float:
        """Seconds between a pulled block and the ear."""
        ...

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        """Begins to pull, from a thread of its own. Raises SinkError."""
        ...

    def stop(self) -> None:
        """Ends; no pull is running when it returns. Never raises, never hangs."""
        ...

    @property
    def alive(self) -> bool:
        """Whether blocks are being pulled."""
        ...


class NullSink:
    """Plays nothing at the pace of the clock: for machines without a sound device, and for tests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, block_s: float = 0.02) -> None:
        self._clock = clock
        self._block_s = block_s
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        return "no sound device"

    @property
    def latency_s(self) -> float:
        return 0.0

    @property
    def alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:  # noqa: ARG002 - the role's signature
        self.stop()
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(pull, sample_rate), name="null sink", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(1.0)
        self._thread = None

    def _run(self, pull: Pull, sample_rate: int) -> None:
        start, pulled = self._clock(), 0
        while not self._stop.wait(self._block_s):
            due = int((self._clock() - start) * sample_rate) - pulled
            if due > 0:
                pull(due)
                pulled += due
