"""Where the ear is: behind what was pulled by the latency of the device, but never before where one jumped to."""

from __future__ import annotations

from yue2_desktop.audio.transport import Loop


class Playhead:
    """The heard sample from the pulled one. It is asked some thirty times a second."""

    def __init__(self) -> None:
        self._floor = 0
        self._last = 0
        self._wrapped = False

    def jump(self, position: int) -> None:
        """Playing goes on at a sample."""
        self._floor = self._last = position
        self._wrapped = False

    def heard(self, position: int, latency: int, loop: Loop | None) -> int:
        """The sample that is heard when `position` is pulled next and `latency` samples are on their way."""
        if position < self._last:
            # Only a loop goes back by itself.
            self._wrapped = True
        self._last = position
        heard = position - latency
        if self._wrapped and loop is not None:
            size = loop.stop - loop.start
            return heard if heard >= loop.start else loop.stop - 1 - (loop.start - 1 - heard) % size
        return max(heard, self._floor)
