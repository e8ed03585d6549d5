"""The menus: every action in one place, the files opened last, the examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.actions import Actions

#: None is a line between groups.
_FILE: Final = ("save", "save_as", "duplicate", None, "preferences", None, "quit")
_SONG: Final = ("write_score", "render", "pause_queue", None, "why", "free_memory", None, "play")
_VIEW: Final = ("focus_title", "focus_words", "focus_score", "focus_takes", "focus_player")
_HELP: Final = ("log", "diagnostics", None, "about")


class Menus(QObject):
    """Fills a menu bar. `recent_chosen` carries a path, `example_chosen` a song."""

    recent_chosen = Signal(object)
    example_chosen = Signal(object)
    recent_forgotten = Signal()

    def __init__(self, bar: QMenuBar, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        file = bar.addMenu(self.tr("&File"))
        file.addAction(actions["new"])
        file.addAction(actions["open"])
        self._recent = file.addMenu(self.tr("Open &recent"))
        self._examples = file.addMenu(self.tr("&Examples"))
        file.addSeparator()
        _fill(file, actions, _FILE)
        _fill(bar.addMenu(self.tr("&Edit")), actions, ("undo", "redo"))
        _fill(bar.addMenu(self.tr("&Song")), actions, _SONG)
        _fill(bar.addMenu(self.tr("&View")), actions, _VIEW)
        _fill(bar.addMenu(self.tr("&Help")), actions, _HELP)
        self.show_recent(())
        self.show_examples(())

    def show_recent(self, paths: Sequence[Path]) -> None:
        """The files opened last."""
        self._recent.clear()
        self._recent.setEnabled(bool(paths))
        for path in paths:
            action = self._recent.addAction(path.name.replace("&", "&&"))
            action.setToolTip(str(path))
            action.setData(path)
            action.triggered.connect(self._open_recent)
        if paths:
            self._recent.addSeparator()
            self._recent.addAction(self.tr("Forget these")).triggered.connect(self.recent_forgotten)

    def show_examples(self, songs: Sequence[SongDocument]) -> None:
        """The songs that come with the program."""
        self._examples.clear()
        self._examples.setEnabled(bool(songs))
        for song in songs:
            action = self._examples.addAction(song.shown_title.replace("&", "&&"))
            action.setData(song)
            action.triggered.connect(self._open_example)

    @Slot()
    def _open_recent(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.recent_chosen.emit(action.data())

    @Slot()
    def _open_example(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.example_chosen.emit(action.data())


def _fill(menu: QMenu, actions: Actions, names: Sequence[str | None]) -> None:
    for name in names:
        if name is None:
            menu.addSeparator()
        else:
            menu.addAction(actions[name])
