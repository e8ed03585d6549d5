"""The fit check in words: the whole report for a terminal, and the one line for a window."""

from __future__ import annotations

from typing import Final

from yue2_desktop.plan.facts import GpuFacts
from yue2_desktop.plan.formats import FORMATS
from yue2_desktop.plan.plans import Plan, Planning, StagePlan, Verdict
from yue2_desktop.plan.sizes import duration, gib

_VERDICTS: Final = {Verdict.FITS: "fits", Verdict.DOES_NOT_FIT: "does not fit", Verdict.UNKNOWN: "unknown"}
_STAGE_WORDS: Final = {"score": "", "semantic": " (singing)", "acoustic": " (sound)", "decode": " (audio)"}
_NO_TIME: Final = "not measured yet"


def fit_text(planning: Planning) -> str:
    """The report as lines of text, most important first."""
    lines = []
    if planning.gpu is not None and planning.gpu.pretended:
        lines += [f"PRETENDED CARD, not in this machine: {_card(planning.gpu)}", ""]
    elif planning.gpu is not None:
        lines += [f"Card: {_card(planning.gpu)}", ""]
    lines += [f"Verdict: {_VERDICTS[planning.verdict]}", planning.reason, ""]
    if planning.plan is not None:
        lines += [*_table(planning.plan), "", *_totals(planning, planning.plan)]
    if planning.rejected:
        lines += ["", "Not taken:", *(f"  {found.mode}: {found.reason}" for found in planning.rejected)]
    if planning.offers:
        lines += [
            "",
            "Also possible:",
            *(f"  {_offer(offer.name, offer.plan)}. {offer.cost}" for offer in planning.offers),
        ]
    if planning.notices:
        lines += ["", *(f"Note: {notice}" for notice in planning.notices)]
    return "\n".join(lines)


def fit_line(planning: Planning) -> str:
    """The line below the score: verdict, plan, memory, time (`Fits: BF16 ... · 4.4 of 5.2 GiB · 7-9 min`)."""
    plan = planning.plan
    if planning.verdict is Verdict.DOES_NOT_FIT or plan is None:
        return planning.reason
    word = "Fits" if planning.verdict is Verdict.FITS else "May fit"
    parts = [f"{word}: {plan.candidate.label}"]
    if plan.card_bytes and planning.free_bytes is not None:
        parts.append(f"{gib(plan.card_bytes).removesuffix(' GiB')} of {gib(planning.free_bytes)}")
    else:
        parts.append(f"{gib(plan.host.ram_bytes)} of memory")
    if plan.seconds is not None:
        parts.append(duration(*plan.seconds))
    return " · ".join(parts)


def _table(plan: Plan) -> list[str]:
    rows = [
        ("stage", "on", "weights", "kept", "kernel", "tile", "peak", "time"),
        *(_row(stage) for stage in plan.stages),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _row(stage: StagePlan) -> tuple[str, ...]:
    return (
        f"{stage.stage}{_STAGE_WORDS[stage.stage]}",
        "card" if stage.device == "cuda" else "processor",
        FORMATS[stage.weights].label,
        stage.residency,
        stage.kernel,
        "" if stage.tile is None else f"{stage.tile} frames",
        gib(stage.peak_bytes),
        _NO_TIME if stage.seconds is None else duration(*stage.seconds),
    )


def _totals(planning: Planning, plan: Plan) -> list[str]:
    lines = []
    tightest = plan.tightest
    if tightest is not None:
        free = "unknown" if planning.free_bytes is None else gib(planning.free_bytes)
        margin = gib(tightest.peak.margin_bytes)
        lines.append(f"  Card    {gib(plan.card_bytes)} at most, {margin} of it margin; free: {free}")
    lines.append(f"  Memory  {gib(plan.host.ram_bytes)}")
    lines.append(f"  Disk    {gib(plan.disk_bytes)}")
    lines.append(f"  Time    {_NO_TIME if plan.seconds is None else duration(*plan.seconds)}")
    return lines


def _offer(name: str, plan: Plan) -> str:
    time = "" if plan.seconds is None else f", {duration(*plan.seconds)}"
    return f"{name}: {plan.candidate.label}, {plan.demand.ode_steps} steps{time}"


def _card(gpu: GpuFacts) -> str:
    total = "size unknown" if gpu.total_bytes is None else gib(gpu.total_bytes)
    free = "free memory unknown" if gpu.free_bytes is None else f"{gib(gpu.free_bytes)} free"
    capability = "unknown" if gpu.capability is None else f"{gpu.capability[0]}.{gpu.capability[1]}"
    driver = "" if gpu.driver is None else f", driver {gpu.driver}"
    return f"{gpu.label}, {total}, {free}, compute capability {capability}{driver}"
