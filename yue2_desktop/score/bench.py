"""How fast scores are read, drawn and played on this machine: the times that `yue2-desktop bench score` prints."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from yue2_desktop.score.engraving.engrave import engrave
from yue2_desktop.score.parser import parse
from yue2_desktop.score.preview.synth import preview

#: The song that is timed: 104 bars of two voices, 212 seconds.
_VERSE = (
    ('"Am"A4c4e4c4|"F"A4c4f4e4|"C"G4c4e4g4|"G"d6e2d8|', "Z3|z8g2a2b2d'2|"),
    ('"Am"e2e2e2d2c2d2e4|"F"f2f2f2e2d2c2A4|"C"z4g4e4c4-|"G"c4B4d8|', "a8e8|Z2|z8d2e2g2b2|"),
    ('"Dm"d3d3d2f4a4|"Am"e3e3e2c4A4|"E"B3c3d2e8-|"Am"e8z8|', "Z4|"),
)
_HEADER = (
    "X:1\nT:\nM:4/4\nL:1/16\nQ:1/4=118\n"
    'V: Vocal clef=treble name="Vocal Melody" snm="Vocal"\nV: Ins clef=treble name="Ins Melody" snm="Inst."\nK:Am\n'
)
_GROUPS = 26


@dataclass(frozen=True, slots=True)
class Timing:
    """One figure: what was timed, milliseconds (median of the runs, and the best), and the limit that was set."""

    name: str
    milliseconds: float
    best: float
    limit: float


def song() -> str:
    """Return the text of the song that is timed."""
    groups = []
    for at in range(_GROUPS):
        vocal, ins = _VERSE[at % len(_VERSE)]
        label = "% verse\n" if at % len(_VERSE) == 0 else ""
        groups.append(f"{label}V: Vocal\n{vocal}\nV: Ins\n{ins}\n")
    return _HEADER + "".join(groups)


def measure(runs: int = 5) -> tuple[Timing, ...]:
    """Time reading, drawing and playing, `runs` times each; the first of each kind is not counted.

    The first page is everything from the text to the page's SVG. Playing is CPU time, the rest is time on the clock.
    """
    text = song()
    changed = text.replace("d3d3d2f4a4", "d3d3d2f4a3", 1)
    score = parse(text).score
    clock, cpu = time.perf_counter, time.process_time
    return (
        _timing("parse", lambda: parse(text), runs, clock, 15),
        _timing("parse after one keystroke", lambda: parse(changed), runs, clock, 15),
        _timing("text to first page", lambda: engrave(parse(text).score).page(0), runs, clock, 200),
        _timing("first sound", lambda: preview(score).render(0, 4800), runs, clock, 100),
        _timing("whole preview (CPU)", lambda: _play(text), max(runs // 3, 1), cpu, 1500),
    )


def _play(text: str) -> None:
    sound = preview(parse(text).score)
    for _ in sound.blocks(0, 48000):
        continue


def _timing(name: str, work: Callable[[], object], runs: int, clock: Callable[[], float], limit: float) -> Timing:
    work()
    taken = []
    for _ in range(runs):
        start = clock()
        work()
        taken.append((clock() - start) * 1000)
    return Timing(name, statistics.median(taken), min(taken), limit)
