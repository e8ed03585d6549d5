"""Measures the takes that are listed, one after another, beside the window: levels, mistakes of scores, waveforms."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from yue2_desktop.audio.measured import measured
from yue2_desktop.audio.peaks import Peaks
from yue2_desktop.library.index import Library
from yue2_desktop.library.soundings import Sounding, Soundings
from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.sections import section_times

#: Numbers that a waveform keeps: more than a wide window has pixels, and some 40 KB a take.
_ENOUGH: Final = 4096


@dataclass(frozen=True)
class Places:
    """Where the index of the library lies, and what is measured of sounds."""

    index: Path
    waveforms: Path

    def library(self) -> Library:
        """The library there, for the thread that asks."""
        return Library.open(
            self.index, soundings=self.soundings(), count_errors=count_errors, time_sections=section_times
        )

    def soundings(self) -> Soundings:
        """What was measured of sounds."""
        return Soundings(self.waveforms, measured)


class Measuring(QObject):
    """`found` carries a summary as it is now and its Sounding, None for a take that has no sound.

    A take is measured once while its sound stays the same; what was measured at another time is read again.
    """

    found = Signal(object, object)

    def __init__(self, places: Places, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self._background = Background(self)
        self._library: Library | None = None
        self._waiting: deque[TakeSummary] = deque()
        self._done: set[tuple[object, ...]] = set()
        self._is_running = self._is_closing = False

    def ask(self, takes: Iterable[TakeSummary]) -> None:
        """Measures these in their order; what was asked for before and has not begun is left out."""
        self._waiting = deque(take for take in takes if _state_of(take) not in self._done)
        self._go_on()

    def close(self) -> None:
        """Stops soon, in the middle of a sound, too."""
        self._is_closing = True
        self._waiting.clear()
        self._background.run(self._shut)
        self._background.close()

    def _go_on(self) -> None:
        if self._is_running or self._is_closing or not self._waiting:
            return
        take = self._waiting.popleft()
        self._done.add(_state_of(take))
        self._is_running = True
        self._background.run(partial(self._measure, take), self._heard, self._refused)

    def _heard(self, made: tuple[TakeSummary, Sounding | None] | None) -> None:
        self._is_running = False
        if made is not None:
            self.found.emit(*made)
        self._go_on()

    def _refused(self, _problem: Problem) -> None:
        # What cannot be measured says so by its own mark in the list.
        self._is_running = False
        self._go_on()

    # What follows runs beside the window, on one thread.

    def _measure(self, take: TakeSummary) -> tuple[TakeSummary, Sounding | None] | None:
        if self._library is None:
            self._library = self._places.library()
        summary = self._library.update(take.folder, measure=True, cancelled=lambda: self._is_closing)
        if summary is None:
            return None
        sounding = None if summary.audio is None else self._places.soundings().known(summary.folder / summary.audio)
        return summary, None if sounding is None else light(sounding)

    def _shut(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = None


def light(sounding: Sounding) -> Sounding:
    """The sounding with no more of its waveform than a window can show."""
    peaks = Peaks(sounding.samples, sounding.waveform, sounding.finest).coarser(_ENOUGH)
    return replace(sounding, waveform=peaks.levels, finest=peaks.finest)


def count_errors(text: str) -> int:
    """How many mistakes a score has."""
    return sum(one.is_error for one in parse(text).diagnostics)


def _state_of(take: TakeSummary) -> tuple[object, ...]:
    """What a take's sound and score follow from, as far as a summary says."""
    return take.folder, take.state, take.audio, take.seconds, take.has_score
