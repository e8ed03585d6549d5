"""The report of a fit check: one object with fixed fields, and the exit code that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from yue2_desktop.plan.plans import Planning, Rejection, StagePlan, Verdict
from yue2_desktop.song.render_settings import Mode

#: Exit code of `yue2-desktop fit` when the song does not fit.
DOES_NOT_FIT_EXIT: Final = 3


@dataclass(frozen=True)
class FitReport:
    """What `yue2-desktop fit --json` prints; sizes in bytes, None where unknown.

    `free_bytes` is what is free on the card (None without one), `margin_bytes` what the tightest stage keeps
    free beside its peak, `ram_bytes` and `disk_bytes` what the whole render takes.
    """

    verdict: Verdict
    mode: Mode
    reason: str
    stages: tuple[StagePlan, ...]
    free_bytes: int | None
    margin_bytes: int | None
    ram_bytes: int | None
    disk_bytes: int | None
    rejected: tuple[Rejection, ...]

    @property
    def exit_code(self) -> int:
        """0 when it fits or cannot be known, 3 when it does not fit."""
        return DOES_NOT_FIT_EXIT if self.verdict is Verdict.DOES_NOT_FIT else 0

    def to_json(self) -> dict[str, object]:
        """The report as plain values, with exactly the documented fields."""
        return {
            "verdict": self.verdict.value,
            "mode": self.mode,
            "reason": self.reason,
            "stages": [_stage(stage) for stage in self.stages],
            "free_bytes": self.free_bytes,
            "margin_bytes": self.margin_bytes,
            "ram_bytes": self.ram_bytes,
            "disk_bytes": self.disk_bytes,
            "rejected": [{"mode": found.mode, "reason": found.reason} for found in self.rejected],
        }


def fit_report(planning: Planning, asked: Mode = "auto") -> FitReport:
    """The report of `planning`; `asked` is the mode named where there is no plan at all."""
    plan = planning.plan
    tightest = None if plan is None else plan.tightest
    pretended = planning.gpu is not None and planning.gpu.pretended
    return FitReport(
        verdict=planning.verdict,
        mode=asked if plan is None else plan.mode,
        reason=f"Pretended card. {planning.reason}" if pretended else planning.reason,
        stages=() if plan is None else plan.stages,
        free_bytes=planning.free_bytes,
        margin_bytes=None if tightest is None else tightest.peak.margin_bytes,
        ram_bytes=None if plan is None else plan.host.ram_bytes,
        disk_bytes=None if plan is None else plan.disk_bytes,
        rejected=planning.rejected,
    )


def _stage(stage: StagePlan) -> dict[str, object]:
    return {
        "stage": stage.stage,
        "weights": stage.weights,
        "residency": stage.residency,
        "kernel": stage.kernel,
        "peak_bytes": stage.peak_bytes,
        "seconds": None if stage.seconds is None else [round(second, 1) for second in stage.seconds],
    }
