"""What of a window could not be made: said once all the rest is there, in its place and in a notice."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Slot

from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.panels import EmptyPlace, PlayerPlace

_KEY = "missing"


class Missing(QObject):
    """Belongs to one desk; `renders` says whether there is somebody to render.

    `note` takes what steps raised, `close` comes when the last of them is done.
    """

    def __init__(self, desk: Desk, renders: Callable[[], bool]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._renders = renders
        self._first: Exception | None = None

    @Slot(object)
    def note(self, error: Exception) -> None:
        """A step raised. The first reason is that of what follows from it."""
        self._first = self._first or error

    @Slot()
    def close(self) -> None:
        """Says what is missing, if anything is; where nobody renders, again whenever that is asked for."""
        if self._first is None:
            return
        for place in self._places():
            place.say(self.tr("This part could not be loaded."))
        self._tell()
        window = self._desk.window
        if not self._renders():
            for name in ("render", "write_score"):
                window.actions_of_window[name].triggered.connect(self._tell)
            window.top_bar.primary_pressed.connect(self._tell)

    def _places(self) -> list[EmptyPlace]:
        """As one reads them."""
        window = self._desk.window
        found = [place for place in window.findChildren(EmptyPlace) if place.isVisibleTo(window)]
        return sorted(found, key=lambda place: place.mapTo(window, QPoint(0, 0)).toTuple()[::-1])

    @Slot()
    def _tell(self) -> None:
        names = [place.accessibleName() for place in self._places()]
        if self._desk.window.findChild(PlayerPlace) is not None:
            names.append(self.tr("Player"))
        if not self._renders():
            names.append(self.tr("Rendering"))
        text = self.tr(
            "{names} could not be loaded ({fault}). The rest works, and your song can be saved. Start the program "
            "again; if this comes again, install it anew."
        ).format(
            names=", ".join(names) or self.tr("A part of the program"),
            fault=f"{type(self._first).__name__}: {self._first}",
        )
        self._desk.tell(_KEY, text, "bad", self.tr("Show the log"), self._desk.show_log)
