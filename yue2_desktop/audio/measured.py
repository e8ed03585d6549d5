"""Levels and waveform of a sound in one pass over its blocks, so that it need not be in memory as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from yue2_desktop.audio.levels import LevelMeter, Levels, Samples
from yue2_desktop.audio.peaks import PeakBuilder, Peaks


@dataclass(frozen=True)
class Measured:
    """What can be said and drawn of a sound."""

    levels: Levels
    peaks: Peaks


def measured(blocks: Iterable[Samples], sample_rate: int) -> Measured:
    """The measures of a sound whose blocks, float32 [samples, channels] in [-1, 1], come in order."""
    meter, builder = LevelMeter(), PeakBuilder()
    for block in blocks:
        meter.add(block)
        builder.add(block)
    return Measured(meter.levels(sample_rate), builder.peaks())
