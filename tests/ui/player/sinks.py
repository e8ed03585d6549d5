"""Sinks that a test drives by hand, and a sound whose samples are their own index."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from yue2_desktop.audio.sink import AudioSink, Pull, SinkError
from yue2_desktop.ui.player.playable import Playable, Section

RATE = 1000


def ramp(seconds: float = 60.0) -> np.ndarray:
    """Each sample is its own index."""
    return np.repeat(np.arange(int(seconds * RATE), dtype=np.float32)[:, None], 2, axis=1)


def playable(key: str = "/music/one", seconds: float = 60.0) -> Playable:
    """A sound with three sections."""
    sections = (Section("Intro", 0, 10), Section("Verse", 10, 40), Section("Chorus", 40, 60))
    return Playable(key, "Ferry, take 1", lambda: (ramp(seconds), RATE), seconds, None, sections)


@dataclass
class HandSink:
    """Pulls when the test says so."""

    name: str = "speakers"
    latency_s: float = 0.2
    alive: bool = False
    pull: Pull | None = None

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        assert (sample_rate, channels) == (RATE, 2)
        self.pull, self.alive = pull, True

    def stop(self) -> None:
        self.alive = False

    def feed(self, seconds: float) -> np.ndarray:
        """What is heard next, later by the latency."""
        assert self.pull is not None
        return self.pull(round(seconds * RATE))


@dataclass
class Sinks:
    """Makes sinks; `refuse` is why none can be opened. `made` are those that were asked for, with their device."""

    refuse: str = ""
    made: list[tuple[str | None, HandSink]] = field(default_factory=list)

    def make(self, device: str | None) -> AudioSink:
        sink = HandSink(device or "speakers")
        self.made.append((device, sink))
        if self.refuse:
            sentence = self.refuse

            def start(pull: Pull, sample_rate: int, channels: int) -> None:
                raise SinkError(sentence)

            sink.start = start  # type: ignore[method-assign]
        return sink

    @property
    def last(self) -> HandSink:
        return self.made[-1][1]
