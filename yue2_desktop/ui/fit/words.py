"""The planner's answer as the few words that the fit line shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from yue2_desktop.plan.plans import Planning, Verdict
from yue2_desktop.plan.sizes import duration, gib

Standing = Literal["good", "doubtful", "bad"]


@dataclass(frozen=True)
class FitWords:
    """What the line shows. `share` is the peak in parts of what is free, None where either is unknown.

    `plan` is the plan's name or, where nothing fits, the reason as a whole sentence; `label` is the name, also of one
    that does not fit.
    """

    standing: Standing
    plan: str
    memory: str = ""
    share: float | None = None
    time: str = ""
    can_run_anyway: bool = False
    label: str = ""


def fit_words(planning: Planning) -> FitWords:
    """The words for an answer of the planner."""
    plan = planning.plan
    refused = planning.verdict is Verdict.DOES_NOT_FIT
    standing: Standing = "bad" if refused else "doubtful" if planning.verdict is Verdict.UNKNOWN else "good"
    if plan is None:
        return FitWords(standing, planning.reason)
    memory, share = _memory(planning)
    return FitWords(
        standing,
        planning.reason if refused else _capital(plan.candidate.label),
        memory,
        share,
        "" if plan.seconds is None else duration(*plan.seconds),
        can_run_anyway=refused,
        label=plan.candidate.label,
    )


def _memory(planning: Planning) -> tuple[str, float | None]:
    plan = planning.plan
    assert plan is not None
    if not plan.card_bytes:
        return gib(plan.host.ram_bytes), None
    if planning.free_bytes is None or planning.free_bytes <= 0:
        return gib(plan.card_bytes), None
    need, have = gib(plan.card_bytes), gib(planning.free_bytes)
    return f"{need.removesuffix(' GiB')} of {have}", plan.card_bytes / planning.free_bytes


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
