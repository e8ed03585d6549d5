"""The table of peaks: songs of four lengths behind two prompts, in every mode, each stage in bytes.

The golden table is tests/goldens/memory_peaks.json, made anew by tests/engine/meter/write_peaks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metering.songs import Song
from metering.stand import Stand, stand

from yue2_desktop.engine.progress import Stage
from yue2_desktop.engine.residency import NarResidency, ResidencyPolicy

GOLDEN: Final = Path(__file__).resolve().parents[3] / "goldens" / "memory_peaks.json"
#: Frames of songs of so many seconds; the song of 216 s is the one of the specification, 5,371 frames.
FRAMES: Final = {30: 750, 120: 3_000, 216: 5_371, 360: 9_000}
#: Tokens of words and of score that make up a prefix of so many tokens.
PREFIXES: Final = {500: (250, 246), 4_151: (500, 3_647)}
STREAMED: Final = "offload-ar, NAR streamed"


@dataclass(frozen=True)
class Mode:
    """A mode as users name it: what it keeps, the weights of its token phases, and which stages it has of its own.

    A stage that a mode does not touch is told once, where it is first found.
    """

    policy: ResidencyPolicy
    stages: tuple[str, ...]
    tokens: str = "bf16"


GUIDED: Final = "semantic, guidance 1.01"
_ALL: Final = ("score", "semantic", GUIDED, "acoustic", "decode")
MODES: Final = {
    "bf16": Mode(ResidencyPolicy(keep_all=True), _ALL),
    "offload-ar": Mode(ResidencyPolicy(), _ALL),
    STREAMED: Mode(ResidencyPolicy(nar=NarResidency.STREAMED), ("acoustic",)),
    "fp8": Mode(ResidencyPolicy(), ("score", "semantic"), tokens="fp8"),
    "gguf, AR Q8_0": Mode(ResidencyPolicy(), ("score", "semantic"), tokens="q8_0"),
    "gguf, AR Q4_0": Mode(ResidencyPolicy(), ("score", "semantic"), tokens="q4_0"),
}
#: Frames of a tile of the decoder.
CORE: Final = 128

#: mode -> song -> stage -> bytes of the card.
Peaks = dict[str, dict[str, dict[str, int]]]


def cell_name(seconds: int, prefix: int) -> str:
    """The name of a song in the table."""
    return f"{seconds} s, prefix {prefix}"


def song(seconds: int, prefix: int, *, guidance: float = 1.0) -> Song:
    """A song of the table."""
    text, abc = PREFIXES[prefix]
    return Song(text, abc, FRAMES[seconds], guidance)


def measure() -> Peaks:
    """All peaks of all modes. Where both halves stay, those of a song that is not the first: all is there already."""
    return {name: _mode(mode) for name, mode in MODES.items()}


def _mode(mode: Mode) -> dict[str, dict[str, int]]:
    cells: dict[str, dict[str, int]] = {cell_name(seconds, prefix): {} for prefix in PREFIXES for seconds in FRAMES}
    with stand(mode.policy, tokens=mode.tokens) as place:
        if mode.policy.keep_all:
            place.render(Song(10, 10, 20))
        for stage in mode.stages:
            for name, size in _peaks_of(stage, place):
                cells[name][stage] = size
    return cells


def _peaks_of(stage: str, place: Stand) -> Iterator[tuple[str, int]]:
    """The peak of a stage for every song. A score knows nothing of the song's length, a decode nothing of its words."""
    known: dict[int, int] = {}
    for prefix in PREFIXES:
        for seconds in FRAMES:
            one = song(seconds, prefix, guidance=1.01 if stage == GUIDED else 1.0)
            only = prefix if stage == "score" else seconds if stage == "decode" else None
            if only in known:
                size = known[only]
            else:
                size = place.run(Stage("semantic" if stage == GUIDED else stage), one, core=CORE).card
            if only is not None:
                known[only] = size
            yield cell_name(seconds, prefix), size


def grown(found: Mapping[str, Mapping[str, Mapping[str, int]]], golden: Peaks, share: float) -> list[str]:
    """One line for each cell that takes more than `share` above the golden table, or that only one of them has."""
    lines = []
    for mode in sorted({*found, *golden}):
        for name in sorted({*found.get(mode, {}), *golden.get(mode, {})}):
            here, there = found.get(mode, {}).get(name, {}), golden.get(mode, {}).get(name, {})
            for stage in sorted({*here, *there}):
                now, before = here.get(stage), there.get(stage)
                if now is None or before is None or now > before * (1 + share):
                    lines.append(f"{mode}, {name}, {stage}: {_mib(before)} before, {_mib(now)} now")
    return lines


def _mib(size: int | None) -> str:
    return "nothing" if size is None else f"{size / 2**20:,.1f} MiB"
