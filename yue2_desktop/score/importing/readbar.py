"""One bar as a reader of a foreign file finds it, before repeats are written out."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from yue2_desktop.score.chords import Chord
from yue2_desktop.score.elements import Meter
from yue2_desktop.score.importing.repeats import BarSigns
from yue2_desktop.score.importing.sketch import Tone
from yue2_desktop.score.keys import Key


@dataclass
class ReadBar:
    """One bar: the length of its content in quarters, what is in it by offset, and its signs.

    `tones` come with the name of their voice within the part; `meter` is set where it changes.
    """

    length: Fraction = Fraction(0)
    tones: list[tuple[str, Tone]] = field(default_factory=list)
    chords: list[tuple[Fraction, Chord]] = field(default_factory=list)
    keys: list[tuple[Fraction, Key]] = field(default_factory=list)
    meter: Meter | None = None
    tempi: list[float] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    signs: BarSigns = field(default_factory=BarSigns)
