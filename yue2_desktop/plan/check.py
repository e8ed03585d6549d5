"""The fit check of one song on one machine: card, measurements and planner put together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from yue2_desktop.plan.assess import Setting
from yue2_desktop.plan.calibration import Calibration, DeviceRates, card_key, processor_key
from yue2_desktop.plan.candidates import Device
from yue2_desktop.plan.cards import CardChoice, choose_card
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts, MachineFacts
from yue2_desktop.plan.options import ALL_ABILITIES, Abilities, Options
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.shape import RELEASED, ModelShape
from yue2_desktop.plan.weights import RELEASED_WEIGHTS, Inventory

#: What stands in for the machine's card when another one is pretended.
PRETENDED: Final = "pretended"


@dataclass(frozen=True)
class Check:
    """All that a fit check reads beside the machine: the same for `fit` and for `render`, which runs it first.

    `device` is what `--device` takes: auto, cpu, cuda, cuda:N. `remembered` is the UUID of the card chosen
    earlier; `pretend` a card to plan for instead of the machine's.
    """

    demand: SongDemand
    options: Options = field(default_factory=Options)
    device: str = "auto"
    remembered: str | None = None
    pretend: GpuFacts | None = None
    inventory: Inventory = RELEASED_WEIGHTS
    abilities: Abilities = ALL_ABILITIES
    calibration: Calibration = field(default_factory=Calibration)
    shape: ModelShape = RELEASED


def check_fit(machine: MachineFacts, check: Check) -> Planning:
    """The plan for this song on this machine now, with the card chosen and its measurements looked up.

    Raises Problem(UNSUPPORTED) for a card that is asked for and is not there.
    """
    if check.pretend is not None:
        machine = machine.with_card(check.pretend)
    choice = _card(machine, check)
    planning = make_plan(
        machine,
        choice.gpu,
        check.demand,
        options=_options(check),
        inventory=check.inventory,
        abilities=check.abilities,
        rates=_rates(machine, choice.gpu, check.calibration),
        shape=check.shape,
    )
    if choice.notice is None:
        return planning
    return replace(planning, notices=(choice.notice, *planning.notices))


def setting_of(machine: MachineFacts, check: Check) -> Setting:
    """What the candidates of `check_fit` are held against, for a step down from its plan."""
    if check.pretend is not None:
        machine = machine.with_card(check.pretend)
    gpu = _card(machine, check).gpu
    options = _options(check)
    card = None if options.device == "cpu" else gpu
    free = None if card is None else card.free_bytes
    rates = _rates(machine, gpu, check.calibration)
    return Setting(check.shape, machine, card, free, options, check.abilities, rates)


def _card(machine: MachineFacts, check: Check) -> CardChoice:
    wanted = check.device if check.pretend is None or check.device == "cpu" else "auto"
    return choose_card(machine.gpus or (), wanted=wanted, remembered=None if check.pretend else check.remembered)


def _options(check: Check) -> Options:
    if check.device == "auto":
        return check.options
    return replace(check.options, device="cpu" if check.device == "cpu" else "cuda")


def _rates(machine: MachineFacts, gpu: GpuFacts | None, calibration: Calibration) -> dict[Device, DeviceRates]:
    found: dict[Device, DeviceRates] = {}
    processor = calibration.of(processor_key(machine))
    if processor is not None:
        found["cpu"] = processor
    card = None if gpu is None or gpu.pretended else calibration.of(card_key(gpu, machine.torch))
    if card is not None:
        found["cuda"] = card
    return found
