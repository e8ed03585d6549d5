"""The fit check beside the window: the machine is read and the song planned a moment after each change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.session import SongSession

if TYPE_CHECKING:
    from yue2_desktop.ui.plan_work import Planned, ReadMachine

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
        work = partial(_work, self._session.document, self._settings, self._read)
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


def _work(document: SongDocument, settings: Settings, read: ReadMachine | None) -> Planned:
    """On the thread beside the window, where the planner may take its time to load."""
    from yue2_desktop.ui.plan_work import plan_song

    return plan_song(document, settings, read)
