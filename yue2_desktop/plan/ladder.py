"""What to try next when a stage ran out of memory all the same: one step down, never the same plan twice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yue2_desktop.plan.assess import Setting, plan_of
from yue2_desktop.plan.memory_vae import CORES
from yue2_desktop.plan.peaks import Stage
from yue2_desktop.plan.plans import Plan


@dataclass(frozen=True)
class StepDown:
    """The next smaller plan for a stage, and the sentence that announces it."""

    plan: Plan
    sentence: str


def step_down(plan: Plan, stage: Stage, setting: Setting) -> StepDown | None:
    """One step below `plan` for the stage that failed; None where the next step would change the take.

    The decode takes the next smaller tile, the acoustic stage streams NAR: both give the same sound. In the
    stages that write tokens a smaller plan means other weights and so another take, which is asked for and
    never done (issue: out of memory in the middle).
    """
    if stage == "decode":
        tile = plan.stage("decode").tile or CORES[0]
        smaller = next((core for core in CORES if core < tile), None)
        if smaller is None:
            return None
        less = replace(setting, options=replace(setting.options, vae_core=smaller))
        return StepDown(
            plan_of(plan.candidate, plan.demand, less),
            f"The card ran out of memory while decoding; trying again with tiles of {smaller} frames, not {tile}.",
        )
    if stage == "acoustic" and plan.candidate.nar_device == "cuda" and plan.candidate.residency == "resident":
        mode = "offload-ar" if plan.candidate.mode == "bf16" else plan.candidate.mode
        streamed = replace(plan.candidate, mode=mode, residency="streamed")
        return StepDown(
            plan_of(streamed, plan.demand, setting),
            "The card ran out of memory while sounding; trying again with NAR streamed, which changes no bit.",
        )
    return None
