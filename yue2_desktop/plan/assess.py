"""One candidate held against one machine: its stages with their peaks, and why it does not fit, if so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from yue2_desktop.plan.attention import choose_attention, plain_attention_bytes
from yue2_desktop.plan.candidates import Candidate
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import Capability, GpuFacts, MachineFacts
from yue2_desktop.plan.formats import BF16_CAPABILITY, FP8_CAPABILITY
from yue2_desktop.plan.host_memory import disk_bytes, disk_shortage, host_plan, host_shortage
from yue2_desktop.plan.memory_ar import score_peak, semantic_peak
from yue2_desktop.plan.memory_nar import acoustic_peak, longest_chunk
from yue2_desktop.plan.memory_vae import CORES, decode_peak, decoder_bytes
from yue2_desktop.plan.options import Abilities, Options
from yue2_desktop.plan.peaks import Peak
from yue2_desktop.plan.plans import Plan, StagePlan
from yue2_desktop.plan.predict import Rates, stage_seconds
from yue2_desktop.plan.shape import SEMANTIC_ROWS, ModelShape
from yue2_desktop.plan.sizes import GIB, gib, shortfall
from yue2_desktop.plan.weights import Half

#: What `auto` leaves to other programs beyond every margin before it keeps both halves on the card.
COMFORT_BYTES: Final = GIB


@dataclass(frozen=True)
class Setting:
    """What all candidates of one planning are held against. `free_bytes` is of the card, budget applied."""

    shape: ModelShape
    machine: MachineFacts
    gpu: GpuFacts | None
    free_bytes: int | None
    options: Options
    abilities: Abilities
    rates: Rates


@dataclass(frozen=True)
class Assessment:
    """A candidate's plan; `obstacle` is the clause that says why it cannot run, None where nothing known forbids.

    `disk_only`: it could be computed, and the disk alone, which is every plan's, stands in its way.
    """

    plan: Plan
    obstacle: str | None
    disk_only: bool = False


def assess(candidate: Candidate, demand: SongDemand, setting: Setting) -> Assessment:
    """The plan of `candidate` for `demand`, and what stands in its way."""
    plan = plan_of(candidate, demand, setting)
    obstacle = _kernel_obstacle(candidate, setting) or _attention_obstacle(candidate, demand, setting)
    obstacle = obstacle or _memory_obstacle(plan, setting)
    obstacle = obstacle or _comfort_obstacle(plan, setting) or host_shortage(setting.machine, plan.host)
    if obstacle is not None:
        return Assessment(plan, obstacle)
    shortage = disk_shortage(setting.machine, plan.disk_bytes)
    return Assessment(plan, shortage, disk_only=shortage is not None)


def plan_of(candidate: Candidate, demand: SongDemand, setting: Setting) -> Plan:
    """All stages of `candidate` with their peaks and times, whether they fit or not."""
    shape = setting.shape
    ar_width, nar_width = _width(candidate.ar), _width(candidate.nar)
    # With both halves kept, a song that is not the first finds all of it, and the decoder, on the card.
    kept = _Kept(shape, candidate)
    tokens = [semantic_peak(shape, candidate.ar, demand, parked=kept.nar + kept.decoder, width=ar_width)]
    if demand.writes_score:
        tokens.insert(0, score_peak(shape, candidate.ar, demand, parked=kept.nar + kept.decoder, width=ar_width))
    sound = acoustic_peak(
        shape,
        # The prefill takes AR as NAR is taken: exact where that is at hand, as the reference does, or as stored.
        candidate.nar,
        candidate.nar,
        demand,
        candidate.residency,
        both_resident=candidate.both_resident,
        parked=kept.head + kept.decoder,
        width=nar_width,
    )
    stages = [_stage(candidate.ar, peak, candidate.ar_device, "resident") for peak in tokens]
    stages.append(_stage(candidate.nar, sound, candidate.nar_device, candidate.residency))
    stages.append(_decode(candidate, demand, setting, stages, kept.nar + kept.ar + kept.head))
    timed = tuple(_timed(stage, candidate, demand, setting) for stage in stages)
    here = max((stage.needed_bytes for stage in timed if stage.device == "cpu"), default=0)
    there = max((stage.needed_bytes for stage in timed if stage.device == "cuda"), default=0)
    host = host_plan(setting.machine, demand, card_bytes=there, processor_bytes=here)
    return Plan(candidate, demand, timed, host, disk_bytes(shape, demand))


def _stage(part: Half, peak: Peak, device: str, residency: str) -> StagePlan:
    kernel = part.format.gpu_kernel if device == "cuda" else part.format.cpu_kernel
    # Many rows at a time are multiplied as they are; only few rows need a kernel that reads packed weights.
    if peak.stage == "acoustic":
        kernel = "dequantise" if part.dequantises else "w8a8" if part.format.name == "int8" else "dense"
    return StagePlan(
        stage=peak.stage,
        device="cuda" if device == "cuda" else "cpu",
        weights=part.format.name,
        residency="streamed" if residency == "streamed" else "resident",
        kernel=kernel,
        tile=None,
        peak=peak,
    )


def _decode(
    candidate: Candidate, demand: SongDemand, setting: Setting, stages: list[StagePlan], held: int
) -> StagePlan:
    shape, device = setting.shape, candidate.nar_device
    others = max((stage.needed_bytes for stage in stages if stage.device == device), default=0)
    forced = setting.options.vae_core
    core = forced if forced is not None else _core(demand, setting, device, others, held)
    peak = decode_peak(shape, core, frames=demand.frames_ceiling, parked=held)
    return StagePlan("decode", device, "f32", "resident", "convolution", core, peak)


def _core(demand: SongDemand, setting: Setting, device: str, others: int, held: int) -> int:
    """The largest tile with which the decode is neither the song's peak nor more than there is, else the smallest."""
    free = setting.free_bytes if device == "cuda" else None
    for core in CORES:
        peak = decode_peak(setting.shape, core, frames=demand.frames_ceiling, parked=held)
        needed = peak.needed_bytes if device == "cuda" else peak.live_bytes + peak.unmetered
        if needed <= others and (free is None or needed <= free):
            return core
    return CORES[-1]


def _timed(stage: StagePlan, candidate: Candidate, demand: SongDemand, setting: Setting) -> StagePlan:
    device = setting.rates.get(stage.device)
    if device is None:
        return stage
    key = (stage.weights, stage.residency, stage.kernel)
    return replace(stage, seconds=stage_seconds(stage.stage, key, candidate, demand, setting.shape, device))


def _kernel_obstacle(candidate: Candidate, setting: Setting) -> str | None:
    gpu = setting.gpu
    missing = {
        part.format.gpu_kernel if device == "cuda" else part.format.cpu_kernel
        for part, device in ((candidate.ar, candidate.ar_device), (candidate.nar, candidate.nar_device))
    } - setting.abilities.kernels
    if missing:
        return f"this version has no {', '.join(sorted(missing))} kernel"
    if gpu is None or gpu.capability is None or candidate.nar_device == "cpu":
        return None
    if candidate.ar.format.name == "fp8" and gpu.capability < FP8_CAPABILITY:
        return f"FP8 needs compute capability {_text(FP8_CAPABILITY)} and {gpu.label} has {_text(gpu.capability)}"
    on_card = [candidate.nar, *([candidate.ar] if candidate.ar_device == "cuda" else [])]
    needs_bf16 = any(part.format.name != "f32" for part in on_card)
    if needs_bf16 and gpu.capability < BF16_CAPABILITY:
        what = "BF16" if candidate.exact else "the int4 kernel"
        return f"{what} needs compute capability {_text(BF16_CAPABILITY)} and {gpu.label} has {_text(gpu.capability)}"
    return None


def _attention_obstacle(candidate: Candidate, demand: SongDemand, setting: Setting) -> str | None:
    torch = setting.machine.torch
    if candidate.nar_device == "cpu" or torch is None or torch.attention is None or choose_attention(torch.attention):
        return None
    more = plain_attention_bytes(setting.shape, longest_chunk(setting.shape, demand))
    return f"no fused attention of torch {torch.version} works on this card, and the plain one takes {gib(more)} more"


def _memory_obstacle(plan: Plan, setting: Setting) -> str | None:
    tightest, free = plan.tightest, setting.free_bytes
    if tightest is None or free is None or tightest.needed_bytes <= free:
        return None
    need, have = shortfall(tightest.needed_bytes, free)
    return f"its {tightest.stage} stage needs {need} free and {have} are"


def _comfort_obstacle(plan: Plan, setting: Setting) -> str | None:
    """Keeping both halves gains no sound, only a few seconds a song, so unasked it must leave room to others."""
    if not plan.candidate.both_resident or setting.options.mode != "auto" or setting.free_bytes is None:
        return None
    if plan.card_bytes + COMFORT_BYTES <= setting.free_bytes:
        return None
    need, have = shortfall(plan.card_bytes, setting.free_bytes)
    return f"it needs {need} of {have} and would leave other programs less than {gib(COMFORT_BYTES)}"


@dataclass(frozen=True)
class _Kept:
    """Bytes that stay on the card between stages: nothing, unless both halves do."""

    shape: ModelShape
    candidate: Candidate

    @property
    def ar(self) -> int:
        return self._if_kept(self.candidate.ar.branch_bytes(self.shape))

    @property
    def nar(self) -> int:
        return self._if_kept(self.candidate.nar.branch_bytes(self.shape))

    @property
    def head(self) -> int:
        """The rows of lm_head of the semantic phase, which is the last one that had any."""
        return self._if_kept(self.candidate.ar.head_bytes(self.shape, SEMANTIC_ROWS))

    @property
    def decoder(self) -> int:
        return self._if_kept(decoder_bytes(self.shape))

    def _if_kept(self, size: int) -> int:
        return size if self.candidate.both_resident else 0


def _width(part: Half) -> int:
    return 4 if part.format.name == "f32" else 2


def _text(capability: Capability) -> str:
    return f"{capability[0]}.{capability[1]}"
