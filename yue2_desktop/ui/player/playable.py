"""What the player is given to play, and what it says when it cannot, as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from yue2_desktop.audio.transport import Samples
from yue2_desktop.library.soundings import Sounding


@dataclass(frozen=True)
class Section:
    """A section of a song with its times in seconds, [start, stop)."""

    name: str
    start: float
    stop: float


@dataclass(frozen=True)
class Playable:
    """A sound. `key` tells it from others (a take's folder); `seconds` is its length as far as it is known.

    `read` gives its samples, float32 [n, channels], and samples a second; it is called on another thread and may raise
    a Problem. `sounding` is what was measured for the waveform; `sections` are in order.
    """

    key: str
    title: str
    read: Callable[[], tuple[Samples, int]]
    seconds: float = 0.0
    sounding: Sounding | None = None
    sections: tuple[Section, ...] = ()

    def section_at(self, seconds: float) -> Section | None:
        """The section that sounds at a time."""
        return next((one for one in self.sections if one.start <= seconds < one.stop), None)


@dataclass(frozen=True)
class Trouble:
    """Why nothing is heard, in a sentence. `can_retry` offers to try again, `can_change` another device."""

    sentence: str
    can_retry: bool = True
    can_change: bool = True
