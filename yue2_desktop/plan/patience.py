"""How long a stage may stand still before that is worth a word; for the command line and for the window."""

from __future__ import annotations

from typing import Final

#: So many times what one unit took before may pass.
_TIMES: Final = 20.0
#: No less than this is waited before anybody is called.
LEAST_S: Final = 60.0
#: Nothing is known of the speed: the first unit, or the weights are being read.
_UNKNOWN_S: Final = 600.0


#: How a sentence about a standstill begins; the window takes it back when the stage moves again.
STANDSTILL: Final = "No progress for"


def is_standstill(sentence: str) -> bool:
    """Whether a sentence of the engine's is about a stage that stands still."""
    return sentence.startswith(STANDSTILL)


def patience(rate: float | None, *, least_s: float = LEAST_S) -> float:
    """Seconds without progress that are nothing to speak of, and no less than `least_s`; `rate` is in units a second.

    None, or 0, is a rate that nobody knows yet.
    """
    return _UNKNOWN_S if not rate else max(least_s, _TIMES / rate)
