"""How fast a song is sung, as far as its style says: tempo in beats a minute, and syllables a second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TEMPO: Final = re.compile(
    r"(?<![\d.])(\d{2,3})(?:\.\d+)?\s*bpm\b|\b(?:tempo|bpm)\s*[:=]?\s*(\d{2,3})\b|[♩q]\s*=\s*(\d{2,3})", re.IGNORECASE
)
_SLOWEST_TEMPO: Final = 30
_FASTEST_TEMPO: Final = 300
_RAPPED: Final = re.compile(r"\b(?:rap|rapped|rapper|hip[- ]?hop|drill|grime|boom bap|trap)\b|说唱|說唱", re.IGNORECASE)
#: Sung syllables a second, from slow to fast; the second pair is for rapped songs.
_SUNG_RATES: Final = (1.6, 3.2)
_RAPPED_RATES: Final = (3.0, 5.5)
#: A line takes a whole number of half bars, bars or double bars of 4/4.
_BEATS: Final = (4, 8, 16, 32)
#: A line is not sung faster than this many syllables a second if twice the beats are at hand.
_CROWDED: Final = 3.0
_CROWDED_RAP: Final = 5.0


@dataclass(frozen=True)
class Pace:
    """`tempo` in beats a minute where it is known; `slow` and `fast` in syllables a second."""

    tempo: float | None
    slow: float
    fast: float
    crowded: float = _CROWDED

    def beats_of_line(self, syllables: int) -> int:
        """Beats that a line of so many syllables takes at the tempo; 0 for none, or where no tempo is known."""
        if self.tempo is None or syllables == 0:
            return 0
        for beats in _BEATS:
            if syllables / (beats * 60 / self.tempo) <= self.crowded:
                return beats
        return round(syllables / self.crowded * self.tempo / 60)

    def seconds(self, beats: float) -> float:
        """Length of so many beats in seconds; ValueError where no tempo is known."""
        if self.tempo is None:
            raise ValueError("the tempo is not known")
        return beats * 60 / self.tempo


def tempo_in(style: str) -> float | None:
    """The tempo that a style names (`92 BPM`, `tempo 92`), in beats a minute from 30 to 300; None if none."""
    for found in _TEMPO.finditer(style):
        tempo = int(next(group for group in found.groups() if group))
        if _SLOWEST_TEMPO <= tempo <= _FASTEST_TEMPO:
            return float(tempo)
    return None


def pace_of(style: str, tempo: float | None = None) -> Pace:
    """The pace that `style` suggests; `tempo`, such as a score's, is the truer one where it is given."""
    slow, fast = _RAPPED_RATES if (rapped := bool(_RAPPED.search(style))) else _SUNG_RATES
    return Pace(tempo if tempo is not None else tempo_in(style), slow, fast, _CROWDED_RAP if rapped else _CROWDED)
