"""The work of the fit check, for the thread beside the window: the machine is read, the song planned on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop import paths
from yue2_desktop.plan.calibration import load_calibration
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.plan.song_demand import song_demand
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.render_order import render_order

_CALIBRATION: Final = "calibration.json"

ReadMachine = Callable[[Path], MachineFacts]


@dataclass(frozen=True)
class Planned:
    """An answer: the machine as it was read, and the planning, or why there is none."""

    machine: MachineFacts
    planning: Planning | None
    reason: str = ""


def _machine(folder: Path) -> MachineFacts:
    return read_machine(folder).machine


def plan_song(document: SongDocument, settings: Settings, read: ReadMachine | None = None) -> Planned:
    """The song planned on this machine, or on what `read` gives for the folder of takes."""
    machine = (read or _machine)(settings.output_folder)
    try:
        order = render_order(document, 0)
        render = order.render
        request = order.requests[0]
        demand = song_demand(
            request, order.abc, order.semantic, ode_steps=render.ode_steps, ode_method=render.ode_method
        )
        check = Check(
            demand=demand,
            options=Options(
                mode=render.mode,
                ar_precision=render.ar_precision,
                nar_residency=render.nar_residency,
                vae_core=render.vae_core,
            ),
            remembered=settings.gpu,
            calibration=load_calibration(paths.cache_folder() / _CALIBRATION),
        )
        return Planned(machine, check_fit(machine, check))
    except Problem as problem:
        return Planned(machine, None, problem.sentence)
