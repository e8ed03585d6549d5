"""Figures that others published about this model, each with its source; never mixed with predictions.

They were collected in memory-and-speed.md, section 5, and user-reports.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Figure:
    """A published figure in words, and whose it is."""

    text: str
    source: str


_LISTENING: Final = "published by others, on the real weights"

#: What a format of the AR half costs in sound.
FORMAT_COST: Final = {
    "q8_0": Figure("24.0 dB SNR, and listeners could not tell it in a blind test", _LISTENING),
    "q6_k": Figure("17.7 dB SNR", _LISTENING),
    "q5_k": Figure("14.6 dB SNR", _LISTENING),
}
#: What fewer steps cost in sound, against 32.
STEPS_COST: Final = {
    16: Figure("21.3 dB SNR against 32 steps", _LISTENING),
    8: Figure("16.6 dB SNR against 32 steps", _LISTENING),
}
#: What FP8 costs: memory and time in the reference runtime.
FP8_COST: Final = Figure(
    "0.9 GiB less and 4.2 times slower in the reference runtime; its weights differ by 2.6 %",
    "users of the reference runtime, and our own arithmetic",
)
#: Adams-Bashforth 2 at 16 steps.
AB2_COST: Final = Figure("mel correlation 0.9996 with midpoint at 16 steps", "published by others")
#: What a processor alone takes.
CPU_SKETCH: Final = Figure(
    "a sketch of 20-30 s at 8 steps took 2-3 minutes on a 2-core Zen 4 machine", "our own measurement"
)
#: NAR below 8 bit.
NAR_4BIT: Final = Figure("NAR in 4 bit was rejected by ear (relative error 0.15), 8 bit was accepted", _LISTENING)


def format_cost(name: str) -> str:
    """What the AR half in `name` costs in sound, in published words; says so where nothing is published."""
    figure = FORMAT_COST.get(name)
    if figure is not None:
        return f"{figure.text} ({figure.source})"
    return "no listening figure is published for it"
