"""The choice of a plan: the best sound that fits what is free now, why, and why not what was passed over."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from yue2_desktop.plan.assess import Assessment, Setting, assess
from yue2_desktop.plan.candidates import candidates
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.driver import driver_problem
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.notices import notices_for
from yue2_desktop.plan.offers import offers_for
from yue2_desktop.plan.options import ALL_ABILITIES, Abilities, Options
from yue2_desktop.plan.plans import Plan, Planning, Rejection, Verdict
from yue2_desktop.plan.predict import Rates
from yue2_desktop.plan.pretend import usable_bytes
from yue2_desktop.plan.reasons import (
    chosen_reason,
    fp8_reason,
    guess_reason,
    missing_reason,
    mode_clause,
    obstacle_clause,
    overflow_reason,
    short_reason,
    unable_reason,
)
from yue2_desktop.plan.shape import RELEASED, ModelShape
from yue2_desktop.plan.weights import RELEASED_WEIGHTS, Inventory
from yue2_desktop.song.render_settings import Mode

_NO_RATES: Final[Rates] = {}
_NOTHING_FORCED: Final = Options()
#: Songs below this are not worth offering: clips under 30 s sound bad (user-reports.md, row 87).
_SHORTEST_OFFERED: Final = 30 * 25


def make_plan(
    machine: MachineFacts,
    gpu: GpuFacts | None,
    demand: SongDemand,
    *,
    options: Options = _NOTHING_FORCED,
    inventory: Inventory = RELEASED_WEIGHTS,
    abilities: Abilities = ALL_ABILITIES,
    rates: Rates = _NO_RATES,
    shape: ModelShape = RELEASED,
) -> Planning:
    """The plan for one song on `gpu` (None: the processor) of `machine`, now.

    Quality first: of all plans whose every stage fits the free memory less its margin, the one that keeps most
    of the weights; among equals the one that waits least. A forced mode is held to what was asked: it fits, or
    the answer says which mode is nearest. Pure: the same facts give the same plan.
    """
    card = None if options.device == "cpu" else gpu
    problem = None if card is None else driver_problem(card, machine.torch)
    if problem is not None:
        free = None if card is None else card.free_bytes
        return Planning(Verdict.DOES_NOT_FIT, None, problem.sentence, card, free, problem=problem)
    free, guessed = _free(card, options)
    setting = Setting(shape, machine, card, free, options, abilities, rates)
    refusal = _refusal(demand, setting, inventory)
    if refusal is not None:
        return Planning(Verdict.DOES_NOT_FIT, None, refusal, card, free)
    answer = _choice(demand, setting, inventory)
    unread = card is None and machine.gpus is None and options.device == "auto"
    if (guessed or unread) and answer.verdict is Verdict.FITS:
        reason = guess_reason(answer.reason, card)
        answer = replace(answer, verdict=Verdict.UNKNOWN, reason=reason, free_bytes=None)
    return replace(answer, notices=notices_for(answer, machine, demand))


def _free(gpu: GpuFacts | None, options: Options) -> tuple[int | None, bool]:
    """Bytes that may be used of the card, and whether that is a guess."""
    if gpu is None:
        return None, False
    free = gpu.free_bytes
    if free is None and gpu.total_bytes is not None:
        free = usable_bytes(gpu.total_bytes)
    if free is not None and options.budget_bytes is not None:
        free = min(free, options.budget_bytes)
    return free, gpu.free_bytes is None


def _refusal(demand: SongDemand, setting: Setting, inventory: Inventory) -> str | None:
    """Why there is nothing to hold against the machine at all."""
    if inventory.empty:
        return missing_reason()
    too_many = demand.overflow(setting.shape.context)
    return overflow_reason(demand, too_many, setting.shape) if too_many else None


def _choice(demand: SongDemand, setting: Setting, inventory: Inventory) -> Planning:
    tried = _tried(demand, setting, inventory)
    chosen = next((found for found in tried if found.obstacle is None), None)
    if chosen is None:
        return _nothing_fits(tried, demand, setting, inventory)
    passed = tried[: tried.index(chosen)]
    return Planning(
        verdict=Verdict.FITS,
        plan=chosen.plan,
        reason=chosen_reason(chosen, _next_better(chosen, passed), setting),
        gpu=setting.gpu,
        free_bytes=setting.free_bytes,
        rejected=_rejections(chosen, passed, setting),
        offers=offers_for(chosen.plan, demand, setting, inventory),
    )


def _tried(demand: SongDemand, setting: Setting, inventory: Inventory) -> list[Assessment]:
    split = setting.abilities.split
    found = candidates(inventory, setting.options, setting.gpu, setting.machine.cpu, split=split)
    return [assess(candidate, demand, setting) for candidate in found]


def _nothing_fits(tried: list[Assessment], demand: SongDemand, setting: Setting, inventory: Inventory) -> Planning:
    nearest = _nearest(demand, setting, inventory) if setting.options.forced else None
    mode = None if nearest is None else _mode_of(nearest, demand, setting, inventory)
    clause = None if nearest is None or mode is None else mode_clause(mode, nearest)
    if not tried:
        reason = unable_reason(setting, inventory, clause)
        return Planning(Verdict.DOES_NOT_FIT, None, reason, setting.gpu, setting.free_bytes)
    least = _closest(tried)
    longest = _longest(demand, setting, inventory)
    return Planning(
        verdict=Verdict.DOES_NOT_FIT,
        plan=least.plan,
        reason=short_reason(least, clause, longest, setting),
        gpu=setting.gpu,
        free_bytes=setting.free_bytes,
        rejected=tuple(Rejection(found.plan.mode, f"{obstacle_clause(found)}.", mode) for found in tried),
    )


def _closest(tried: list[Assessment]) -> Assessment:
    """What comes closest to fitting: the best plan where only room on the disk is missing, else the smallest one."""
    computable = next((found for found in tried if found.disk_only), None)
    if computable is not None:
        return computable  # a smaller one would write as much, and be another song for nothing
    # What was asked for on the device that was asked for, so the card before the processor.
    on_card = [found for found in tried if found.plan.card_bytes] or tried
    return min(on_card, key=lambda found: (found.plan.card_bytes, found.plan.host.ram_bytes))


def _nearest(demand: SongDemand, setting: Setting, inventory: Inventory) -> Plan | None:
    """The plan that would be chosen if no mode, precision or residency were forced."""
    return _fitting(demand, setting, inventory, "auto")


def _mode_of(nearest: Plan, demand: SongDemand, setting: Setting, inventory: Inventory) -> Mode:
    """The mode that leads to a plan: its own, or `auto` where only that one leaves the card for the processor."""
    own = _fitting(demand, setting, inventory, nearest.mode)
    return nearest.mode if own is not None and own.candidate == nearest.candidate else "auto"


def _fitting(demand: SongDemand, setting: Setting, inventory: Inventory, mode: Mode) -> Plan | None:
    """The best plan that fits if nothing but a mode were forced."""
    options = replace(setting.options, mode=mode, ar_precision="auto", nar_residency="auto", float32=False)
    tried = _tried(demand, replace(setting, options=options), inventory)
    return next((found.plan for found in tried if found.obstacle is None), None)


def _longest(demand: SongDemand, setting: Setting, inventory: Inventory) -> int:
    """Frames of the longest song, in whole seconds, that fits as asked; 0 where none of 30 s does."""

    def fits(frames: int) -> bool:
        shorter = replace(demand, frames_ceiling=frames, frames_expected=None)
        return any(found.obstacle is None for found in _tried(shorter, setting, inventory))

    low, high = _SHORTEST_OFFERED, demand.frames_ceiling
    if low >= high or not fits(low):
        return 0
    while high - low > 25:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _next_better(chosen: Assessment, passed: list[Assessment]) -> Assessment | None:
    """Of the plans that were passed over, the nearest with other weights; else the nearest."""
    mine = chosen.plan.candidate
    others = [
        found
        for found in passed
        if (found.plan.candidate.ar.format, found.plan.candidate.nar.format) != (mine.ar.format, mine.nar.format)
    ]
    nearest = others or passed
    return nearest[-1] if nearest else None


def _rejections(chosen: Assessment, passed: list[Assessment], setting: Setting) -> tuple[Rejection, ...]:
    """The plans that come before the chosen one and cannot run, and FP8, which is never chosen unasked."""
    mode = chosen.plan.mode
    rejected = [Rejection(found.plan.mode, f"{obstacle_clause(found)}.", mode) for found in passed]
    if setting.gpu is not None and setting.options.mode == "auto":
        rejected.append(Rejection("fp8", fp8_reason(setting.gpu), mode))
    return tuple(rejected)
