"""What is offered beside the chosen plan: less waiting, at a price in published figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from yue2_desktop.plan import published
from yue2_desktop.plan.assess import Setting, assess, plan_of
from yue2_desktop.plan.candidates import Candidate, candidates
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Offer, Plan
from yue2_desktop.plan.weights import Inventory
from yue2_desktop.song.render_settings import DRAFT_STEPS, SKETCH_STEPS


def offers_for(chosen: Plan, demand: SongDemand, setting: Setting, inventory: Inventory) -> tuple[Offer, ...]:
    """Faster plans than `chosen` that fit as well: `fast` (smaller AR weights), `fp8`, `sketch` and `draft`."""
    return (*_smaller_weights(chosen, demand, setting, inventory), *_fewer_steps(chosen, demand, setting))


def _smaller_weights(chosen: Plan, demand: SongDemand, setting: Setting, inventory: Inventory) -> Iterator[Offer]:
    if not chosen.candidate.ar.format.exact or chosen.candidate.ar_device == "cpu":
        return
    fast = _first(Options(mode="gguf", device="cuda"), demand, setting, inventory)
    if fast is not None:
        cost = f"AR in {fast.candidate.ar.format.label}: {published.format_cost(fast.candidate.ar.format.name)}"
        yield Offer("fast", fast, f"{cost}; a different take.", other_take=True)
    fp8 = _first(Options(mode="fp8", device="cuda"), demand, setting, inventory)
    if fp8 is not None:
        yield Offer("fp8", fp8, f"AR in FP8: {published.FP8_COST.text}; a different take.", other_take=True)


def _first(options: Options, demand: SongDemand, setting: Setting, inventory: Inventory) -> Plan | None:
    setting = replace(setting, options=replace(options, budget_bytes=setting.options.budget_bytes))
    for candidate in _on_card(options, setting, inventory):
        found = assess(candidate, demand, setting)
        if found.obstacle is None:
            return found.plan
    return None


def _on_card(options: Options, setting: Setting, inventory: Inventory) -> tuple[Candidate, ...]:
    return candidates(inventory, options, setting.gpu, setting.machine.cpu, split=False)


def _fewer_steps(chosen: Plan, demand: SongDemand, setting: Setting) -> Iterator[Offer]:
    for name, steps in (("sketch", SKETCH_STEPS), ("draft", DRAFT_STEPS)):
        if steps < demand.ode_steps:
            plan = plan_of(chosen.candidate, replace(demand, ode_steps=steps), setting)
            figure = published.STEPS_COST[steps]
            cost = f"{steps} steps: {figure.text} ({figure.source}); the same song, so a final can follow."
            yield Offer(name, plan, cost, other_take=False)
