"""The planner's answers as values: a stage's plan, a whole plan, what was rejected, what is offered beside it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from yue2_desktop.plan.candidates import Candidate, Device
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.host_memory import HostPlan
from yue2_desktop.plan.memory_nar import Residency
from yue2_desktop.plan.peaks import Peak, Stage
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.render_settings import Mode

#: Seconds, from and to; None means that nothing is known to predict them from.
Seconds = tuple[float, float] | None


class Verdict(StrEnum):
    """Whether a song fits a machine now."""

    FITS = "fits"
    DOES_NOT_FIT = "does-not-fit"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class StagePlan:
    """One stage: where it computes, with which weights, kept how, by which kernel, in which tile of frames."""

    stage: Stage
    device: Device
    weights: str
    residency: Residency
    kernel: str
    tile: int | None
    peak: Peak
    seconds: Seconds = None

    @property
    def peak_bytes(self) -> int:
        """Predicted live bytes on the stage's device."""
        return self.peak.live_bytes

    @property
    def needed_bytes(self) -> int:
        """Bytes that must be free on the stage's device; on the processor there is no CUDA context to add."""
        return self.peak.needed_bytes if self.device == "cuda" else self.peak.live_bytes + self.peak.unmetered


@dataclass(frozen=True)
class Plan:
    """A whole render: its stages in order, its share of main memory and disk."""

    candidate: Candidate
    demand: SongDemand
    stages: tuple[StagePlan, ...]
    host: HostPlan
    disk_bytes: int

    @property
    def mode(self) -> Mode:
        """The mode by the name that users see."""
        return self.candidate.mode

    @property
    def tightest(self) -> StagePlan | None:
        """The stage that needs most of the card, None where no stage runs on it."""
        on_card = [stage for stage in self.stages if stage.device == "cuda"]
        return max(on_card, key=lambda stage: stage.needed_bytes, default=None)

    @property
    def card_bytes(self) -> int:
        """Bytes that must be free on the card; 0 without one."""
        return 0 if self.tightest is None else self.tightest.needed_bytes

    @property
    def seconds(self) -> Seconds:
        """The whole render, None as soon as one stage is unknown."""
        times = [stage.seconds for stage in self.stages]
        known = [time for time in times if time is not None]
        if len(known) < len(times):
            return None
        return sum(low for low, _ in known), sum(high for _, high in known)

    def stage(self, name: Stage) -> StagePlan:
        """The plan of a stage. Raises KeyError for one that this song does not have."""
        for stage in self.stages:
            if stage.stage == name:
                return stage
        raise KeyError(name)


@dataclass(frozen=True)
class Rejection:
    """A plan that was not taken: its mode, why, and the nearest mode that can (None where nothing can)."""

    mode: Mode
    reason: str
    nearest: Mode | None = None


@dataclass(frozen=True)
class Offer:
    """A plan offered beside the chosen one (`fast`, `sketch`, `draft`), with its price in published words."""

    name: str
    plan: Plan
    cost: str
    other_take: bool


@dataclass(frozen=True)
class Planning:
    """The planner's whole answer. `plan` is the chosen plan, or what comes closest where nothing fits.

    `reason` is one sentence. `free_bytes` is what of the card the plan was held against. `problem` is what
    blocks the card altogether (driver, torch build).
    """

    verdict: Verdict
    plan: Plan | None
    reason: str
    gpu: GpuFacts | None
    free_bytes: int | None
    rejected: tuple[Rejection, ...] = ()
    offers: tuple[Offer, ...] = ()
    notices: tuple[str, ...] = ()
    problem: Problem | None = None
