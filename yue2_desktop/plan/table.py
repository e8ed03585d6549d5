"""Which card, which plan, what to expect: the planner asked for every preset, as rows for README and goldens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from yue2_desktop.plan.calibration import DeviceRates, ProbeRates
from yue2_desktop.plan.candidates import Device
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CpuFacts, MachineFacts
from yue2_desktop.plan.memory_reference import everything_resident_peak
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.predict import Rates
from yue2_desktop.plan.pretend import PRESETS, parse_pretend
from yue2_desktop.plan.shape import RELEASED
from yue2_desktop.plan.sizes import GIB, duration, gib

#: Seconds of the songs in the golden table of peaks (user-reports.md, rows 8 and 14), and of the README's.
DURATIONS: Final = (30, 120, 240, 360)
TYPICAL: Final = 216
NO_CARD: Final = "none"
#: Text and score of the 3.6-minute song of memory-and-speed.md, section 3: a prefix of 4,151 tokens.
_TEXT: Final = 500
_SCORE: Final = 3_647
#: A laptop to put the cards in.
_LAPTOP: Final = MachineFacts(
    gpus=(),
    platform="windows",
    cpu=CpuFacts(name="laptop", cores=8, avx2=True, avx512_bf16=False, amx=False, vnni=True),
    ram_total=16 * GIB,
    ram_free=9 * GIB,
    commit_bytes=20 * GIB,
    disk_free=200 * GIB,
)


@dataclass(frozen=True)
class Nominal:
    """A card by its data sheet: GB/s of memory, TFLOP/s of BF16 products, GB/s from the host."""

    bandwidth: float
    tflops: float
    copy: float

    @property
    def rates(self) -> Rates:
        """Rates by the arithmetic of memory-and-speed.md, section 4: 80 % of bandwidth, 36 % of the products."""
        products = 0.36 * self.tflops
        probe = ProbeRates(
            read_gbs=0.8 * self.bandwidth,
            step_ms=4.0,
            linear_tflops={"dense": products},
            attention_tflops=products,
            conv_tflops=0.2 * self.tflops,
            copy_gbs=self.copy,
        )
        rates: dict[Device, DeviceRates] = {"cuda": DeviceRates(probe)}
        return rates


#: The two cards that memory-and-speed.md, section 4, does the arithmetic for.
NOMINAL: Final[Mapping[str, Nominal]] = {"4GB": Nominal(192, 15.3, 6.0), "6GB": Nominal(144, 15.3, 6.0)}


def song(seconds: int) -> SongDemand:
    """A song of `seconds` behind the text and score of the released figures, 32 steps."""
    frames = 5_371 if seconds == TYPICAL else 25 * seconds
    return SongDemand(text_tokens=_TEXT, abc_tokens=_SCORE, frames_ceiling=frames, frames_expected=frames)


def preset_plan(preset: str, seconds: int, *, rates: Rates | None = None) -> Planning:
    """The automatic plan for a preset (`6GB`, or `none` for the processor) and a song of `seconds`."""
    gpu = None if preset == NO_CARD else parse_pretend(preset)
    machine = _LAPTOP if gpu is None else _LAPTOP.with_card(gpu)
    return make_plan(machine, gpu, song(seconds), rates=rates or {})


def predicted_peaks() -> dict[str, dict[str, dict[str, int]]]:
    """Predicted live bytes by preset, seconds of song and stage."""
    table: dict[str, dict[str, dict[str, int]]] = {}
    for preset in (*PRESETS, NO_CARD):
        table[preset] = {}
        for seconds in DURATIONS:
            plan = preset_plan(preset, seconds).plan
            assert plan is not None, f"no plan for {preset}"
            table[preset][str(seconds)] = {stage.stage: stage.peak_bytes for stage in plan.stages}
    return table


def readme_table(measured: Mapping[str, str]) -> str:
    """The README's table in Markdown; `measured` says by preset what was measured, and on what."""
    head = (
        "| card (free of it) | plan that `auto` takes for a song of 3.6 minutes | needs, predicted (3.6 / 6 min) | "
        "time, by arithmetic from the data sheet | measured |"
    )
    rows = [_readme_row(preset, measured) for preset in (*PRESETS, NO_CARD)]
    whole = gib(everything_resident_peak(RELEASED, song(TYPICAL)).needed_bytes)
    foot = f"A runtime that keeps everything on the card needs {whole} for the same song (predicted in the same way)."
    return "\n".join((head, "|---|---|---|---|---|", *rows, "", foot)) + "\n"


def _readme_row(preset: str, measured: Mapping[str, str]) -> str:
    nominal = NOMINAL.get(preset)
    typical = preset_plan(preset, TYPICAL, rates=None if nominal is None else nominal.rates)
    longest = preset_plan(preset, DURATIONS[-1])
    assert typical.plan is not None
    assert longest.plan is not None
    if preset == NO_CARD:
        card, sizes = "none", f"{gib(typical.plan.host.ram_bytes)} / {gib(longest.plan.host.ram_bytes)} of memory"
    else:
        gpu = parse_pretend(preset)
        card = f"{preset.removesuffix('GB')} GB ({gib(gpu.free_bytes or 0)})"
        sizes = f"{gib(typical.plan.card_bytes)} / {gib(longest.plan.card_bytes)}"
    label = f"{typical.plan.candidate.label} (`{typical.plan.mode}`)"
    if longest.plan.candidate.label != typical.plan.candidate.label:
        label += f"; 6 min: {longest.plan.candidate.label}"
    seconds = typical.plan.seconds
    time = "-" if seconds is None or nominal is None else f"{duration(*seconds)} at {nominal.bandwidth:g} GB/s"
    return f"| {card} | {label} | {sizes} | {time} | {measured.get(preset, 'not yet')} |"
