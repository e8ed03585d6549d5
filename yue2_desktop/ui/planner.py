"""The fit check beside the window: the machine is read and the song planned a moment after each change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop import paths
from yue2_desktop.cli.demand import song_demand
from yue2_desktop.plan.calibration import load_calibration
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.options import Options
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.probe import read_machine
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.render_order import render_order
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession

#: A pause in changes after which the song is planned anew, and how often the free memory is looked at.
PAUSE_MS: Final = 250
_LOOK_AGAIN_MS: Final = 5000
_CALIBRATION: Final = "calibration.json"

ReadMachine = Callable[[Path], MachineFacts]


@dataclass(frozen=True)
class Planned:
    """An answer: the machine as it was read, and the planning, or why there is none."""

    machine: MachineFacts
    planning: Planning | None
    reason: str = ""


class Planner(QObject):
    """`planned` carries the answer to the song as it is now; older ones are dropped. `busy` says one is on its way."""

    planned = Signal(object)
    busy = Signal()

    def __init__(
        self,
        session: SongSession,
        settings: Settings,
        parent: QObject | None = None,
        *,
        read: ReadMachine | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._read = read or _machine
        self._background = Background(self)
        self._asked_again = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.plan_now)
        self._again = QTimer(self, interval=_LOOK_AGAIN_MS)
        self._again.timeout.connect(self.plan_now)
        session.changed.connect(self._changed)

    def start(self) -> None:
        """Begins to look; not before the window is painted."""
        self._again.start()
        self.plan_now()

    def use(self, settings: Settings) -> None:
        """Plans with other preferences."""
        self._settings = settings
        self.plan_now()

    @Slot()
    def plan_now(self) -> None:
        """Plans the song as it is; while one plan is being made the next waits for it."""
        self._pause.stop()
        if self._background.is_busy:
            self._asked_again = True
            return
        work = partial(_plan, self._session.document, self._settings, self._read)
        self._background.run(work, self._heard)

    def close(self) -> None:
        """Looks no more."""
        self._pause.stop()
        self._again.stop()
        self._background.close()

    @Slot(object)
    def _changed(self, document: SongDocument) -> None:
        self.busy.emit()
        self._pause.start()

    def _heard(self, planned: Planned) -> None:
        if self._asked_again:
            self._asked_again = False
            self.plan_now()
            return
        if not self._pause.isActive():
            self.planned.emit(planned)


def _machine(folder: Path) -> MachineFacts:
    return read_machine(folder).machine


def _plan(document: SongDocument, settings: Settings, read: ReadMachine) -> Planned:
    machine = read(settings.output_folder)
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
