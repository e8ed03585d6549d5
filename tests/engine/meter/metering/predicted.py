"""What the planner predicts for the songs and modes of the table of peaks, by its own way to a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metering.songs import Song
from metering.table import CORE, FRAMES, GUIDED, MODES, PREFIXES, STREAMED, Peaks, cell_name, song

from yue2_desktop.plan.assess import Setting, plan_of
from yue2_desktop.plan.candidates import Candidate
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.memory_nar import Residency
from yue2_desktop.plan.options import ALL_ABILITIES, Mode, Options
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.weights import GgufFile, TypedTensors, half

_SETTING: Final = Setting(
    shape=RELEASED,
    machine=MachineFacts(gpus=(), cpu=CpuFacts()),
    gpu=None,
    free_bytes=None,
    options=Options(vae_core=CORE),
    abilities=ALL_ABILITIES,
    rates={},
)


def predicted(one: Song, candidate: Candidate, stage: str, *, writes_score: bool = False) -> int:
    """Live bytes of the card in a stage of a song, as the plan for `candidate` says."""
    demand = SongDemand(
        text_tokens=one.text,
        abc_tokens=None if writes_score else one.abc,
        frames_ceiling=one.frames,
        guidance=one.guidance,
    )
    return next(found.peak_bytes for found in plan_of(candidate, demand, _SETTING).stages if found.stage == stage)


def candidate(mode: str, *, nar: str = "bf16") -> Candidate:
    """The planner's own candidate for a mode of the table; `nar` is the type of that half in a file."""
    ar = MODES[mode].tokens
    name: Mode = "bf16" if mode == "bf16" else "fp8" if ar == "fp8" else "offload-ar" if ar == nar == "bf16" else "gguf"
    residency: Residency = "streamed" if mode == STREAMED else "resident"
    stored = GgufFile("a file", None, TypedTensors(((nar, 1),))).halves("nar")
    assert stored is not None
    return Candidate(name, half(ar), half(nar) if nar == "bf16" else stored, "cuda", "cuda", residency)


def predictions() -> Peaks:
    """The table of peaks, by prediction."""
    return {mode: dict(_songs(mode)) for mode in MODES}


def _songs(mode: str) -> Iterator[tuple[str, dict[str, int]]]:
    way = candidate(mode)
    for prefix in PREFIXES:
        for seconds in FRAMES:
            yield (
                cell_name(seconds, prefix),
                {stage: _cell(way, seconds, prefix, stage) for stage in MODES[mode].stages},
            )


def _cell(way: Candidate, seconds: int, prefix: int, stage: str) -> int:
    if stage == GUIDED:
        return predicted(song(seconds, prefix, guidance=1.01), way, "semantic")
    return predicted(song(seconds, prefix), way, stage, writes_score=stage == "score")
