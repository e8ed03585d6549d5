"""The fit check beside the window: the machine is read and the song planned a moment after each change."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession

if TYPE_CHECKING:
    from yue2_desktop.plan.known import EngineFacts, ModelFacts
    from yue2_desktop.ui.plan_work import CountTokens, Planned, ReadMachine

    _Knowing = tuple[tuple[Path, ...], EngineFacts | None, ModelFacts | None, CountTokens | None, int | None]

_log = logging.getLogger(__name__)

#: A pause in changes after which the song is planned anew, and how often the free memory is looked at.
PAUSE_MS: Final = 250
_LOOK_AGAIN_MS: Final = 5000


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
        self._read = read
        self._places: tuple[Path, ...] = ()
        self._facts: EngineFacts | None = None
        self._model: ModelFacts | None = None
        self._count: CountTokens | None = None
        self._engine: int | None = None
        self._background = Background(self)
        self._asked_again = self._is_held = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.plan_now)
        self._again = QTimer(self, interval=_LOOK_AGAIN_MS)
        self._again.timeout.connect(self.plan_now)
        session.changed.connect(self._changed)

    @property
    def is_planning(self) -> bool:
        """Whether a plan is being made."""
        return self._background.is_busy

    def hold(self) -> None:
        """Plans nothing until `start`: the window has more urgent things to load."""
        self._is_held = True

    def start(self) -> None:
        """Begins to look; not before the window is painted."""
        self._is_held = False
        self._again.start()
        self.plan_now()

    def use(self, settings: Settings) -> None:
        """Plans with other preferences."""
        self._settings = settings
        self.plan_now()

    def use_model(self, *places: Path) -> None:
        """Plans for the model there; without places for the released one."""
        if places != self._places:
            self._places, self._model = places, None
            self._plan_again()

    def learn(self, facts: EngineFacts | None, model: ModelFacts | None) -> None:
        """Plans with what the engine told of the machine and of the model, and keeps it for the next start."""
        self._facts, self._model = facts or self._facts, model or self._model
        work = partial(_keep, self._settings, self._read, self._places, facts, model)
        self._background.run(work, failed=lambda problem: _log.warning("%s", problem.sentence))
        self._plan_again()

    def use_engine(self, count: CountTokens | None, process: int | None) -> None:
        """Plans with counted tokens and with the memory that the engine's process holds; None where there is none.

        `count` is called beside the window.
        """
        self._count, self._engine = count, process
        self._plan_again()

    def _plan_again(self) -> None:
        if self._again.isActive():
            self._pause.start()

    @Slot()
    def plan_now(self) -> None:
        """Plans the song as it is; while one plan is being made the next waits for it."""
        self._pause.stop()
        if self._is_held:
            return
        if self._background.is_busy:
            self._asked_again = True
            return
        knowing = self._places, self._facts, self._model, self._count, self._engine
        work = partial(_work, self._session.document, self._settings, self._read, knowing)
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


def _work(document: SongDocument, settings: Settings, read: ReadMachine | None, knowing: _Knowing) -> Planned:
    """On the thread beside the window, where the planner may take its time to load."""
    from yue2_desktop.ui.plan_work import Knowledge, plan_song

    return plan_song(document, settings, read, Knowledge(*knowing))


def _keep(
    settings: Settings,
    read: ReadMachine | None,
    places: tuple[Path, ...],
    facts: EngineFacts | None,
    model: ModelFacts | None,
) -> None:
    from yue2_desktop.ui.plan_work import Knowledge, keep_knowledge

    keep_knowledge(settings, Knowledge(places, facts, model), read)
