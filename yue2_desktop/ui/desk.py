"""One window with all that belongs to it: the song, its files, the snapshots, the planner, preferences, help."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from yue2_desktop import paths
from yue2_desktop import settings as preferences
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.recovery import Found, Recovery
from yue2_desktop.song.render_settings import MODES
from yue2_desktop.ui.arrival import FirstPaint
from yue2_desktop.ui.autosave import Autosave
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.dialogs.seam import Dialogs, QtDialogs
from yue2_desktop.ui.documents import Documents
from yue2_desktop.ui.notice_queue import Notice, Tone
from yue2_desktop.ui.panels import Panels
from yue2_desktop.ui.planner import Planner
from yue2_desktop.ui.primary import primary_action
from yue2_desktop.ui.remembered import Remembered
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.statusbar import device_words
from yue2_desktop.ui.theme.applied import Theme
from yue2_desktop.ui.theme.palette import ThemeChoice
from yue2_desktop.ui.window import MainWindow

if TYPE_CHECKING:
    from yue2_desktop.plan.facts import MachineFacts
    from yue2_desktop.ui.plan_work import Planned, ReadMachine

_log = logging.getLogger(__name__)
_LAST_LINES: Final = 2000


class Desk(QObject):
    """Puts the parts of one window together. `settings_changed` carries new preferences; `settled`: all has come."""

    settings_changed = Signal(object)
    settled = Signal()

    def __init__(
        self,
        session: SongSession,
        panels: Panels,
        settings: Settings,
        *,
        theme: Theme | None = None,
        dialogs: Dialogs | None = None,
        read_machine: ReadMachine | None = None,
        log_file: Path | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.machine: MachineFacts | None = None
        self._theme = theme
        self._log_file = log_file
        self.remembered = Remembered(parent=self)
        self.window = MainWindow(session, panels, self.remembered)
        self.dialogs: Dialogs = dialogs or QtDialogs(self.window)
        self.background = Background(self)
        self.documents = Documents(session, self.dialogs, self.remembered, self.background, self)
        self.autosave = Autosave(session, Recovery(paths.data_folder() / "recovery"), Background(self), self)
        self.planner = Planner(session, settings, self, read=read_machine)
        self._is_closed = False
        self._stops: list[Callable[[], None]] = []
        self._beginnings: list[Callable[[], None]] = []
        self._asks: list[Callable[[], bool]] = []
        self._wire()

    def _wire(self) -> None:
        window, documents = self.window, self.documents
        done: dict[str, Any] = {
            "new": documents.new,
            "open": documents.open,
            "save": documents.save,
            "save_as": documents.save_as,
            "duplicate": documents.duplicate,
            "preferences": self.edit_preferences,
            "log": self.show_log,
            "diagnostics": self.copy_diagnostics,
            "about": self.show_about,
        }
        for name, do in done.items():
            window.actions_of_window[name].triggered.connect(do)
        window.guard_closing(self._may_close)
        window.dropped.connect(documents.open_path)
        window.menus.recent_chosen.connect(documents.open_path)
        window.menus.example_chosen.connect(self._open_example)
        window.menus.recent_forgotten.connect(self.remembered.forget_recent)
        self.remembered.recent_changed.connect(self._show_recent)
        documents.asked.connect(partial(window.notices.withdraw, "file"))  # what was told of the one before
        documents.told.connect(partial(self.tell, "file"))
        documents.went_wrong.connect(partial(self.tell, "file", tone="bad"))
        self.background.faulted.connect(self.complain)
        self.autosave.failed.connect(self.complain)
        self.autosave.found.connect(self._offer_lost)
        self.documents.restored.connect(self.autosave.adopt)
        self.planner.planned.connect(self._show_plan)
        self.planner.busy.connect(window.fit_line.set_busy)
        window.fit_line.mode_chosen.connect(self._choose_mode)
        window.fit_line.steps_chosen.connect(self._choose_steps)
        self.session.changed.connect(self._show_choices)
        self._show_recent()
        self._show_choices(self.session.document)

    @Slot()
    def begin(self) -> None:
        """Calls what waits for the first paint."""
        if not self._is_closed:
            for begin in self._beginnings:
                begin()

    @Slot()
    def look_around(self) -> None:
        """What takes a while and nobody waits for: examples, lost songs, the first plan."""
        self.background.run(
            partial(load_examples, paths.resources() / "examples"), self.window.menus.show_examples, self._refuse
        )
        self.autosave.look_for_lost_songs()
        self.planner.start()

    def show(self) -> None:
        """Shows the window, and begins when it is painted."""
        FirstPaint(self.window).painted.connect(self.begin)
        self.window.show()

    def when_begun(self, begin: Callable[[], None]) -> None:
        """`begin` is called once, when the window is painted; what it imports costs no time before."""
        self._beginnings.append(begin)

    def keep_open_while(self, may_leave: Callable[[], bool]) -> None:
        """`may_leave` is asked before the window closes."""
        self._asks.append(may_leave)

    def when_closing(self, stop: Callable[[], None]) -> None:
        """`stop` is called when the window is about to close for good."""
        self._stops.append(stop)

    @Slot(object)
    def come_forward(self, path: Path | None) -> None:
        """Another start of the program wants to see the window, or something opened in it."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.raise_()
        window.activateWindow()
        if path is not None:
            self.documents.open_path(path)

    def tell(self, key: str, text: str, tone: Tone = "info", button: str = "", act: Any = None) -> None:
        """Shows a notice above the panels."""
        self.window.notices.tell(Notice(key, text, tone, button, act))

    def _may_close(self) -> bool:
        if not all(ask() for ask in self._asks) or not self.documents.may_replace():
            return False
        self._is_closed = True
        self.window.vanish()  # the engine may take some seconds to end
        self.remembered.keep_song(self.session.path)
        for stop in self._stops:
            stop()
        self.planner.close()
        self.background.close()
        self.autosave.finish(keep=False)
        return True

    @Slot()
    def edit_preferences(self) -> None:
        """Opens the preferences and puts them to use."""
        from yue2_desktop.ui.dialogs.preferences import PreferencesDialog

        gpus = () if self.machine is None or self.machine.gpus is None else self.machine.gpus
        made: list[PreferencesDialog] = []

        def make(parent: QWidget) -> QDialog:
            made.append(PreferencesDialog(self.settings, gpus, self.dialogs.folder, parent))
            return made[0]

        if self.dialogs.show(make) and made[0].settings != self.settings:
            self.use_settings(made[0].settings)

    def use_models_folder(self, folder: Path) -> None:
        """Looks for models in another folder from now on."""
        self.use_settings(replace(self.settings, models_folder=folder))

    def use_settings(self, settings: Settings) -> None:
        """Keeps other preferences and plans with them."""
        try:
            preferences.save(settings)
        except OSError as error:
            self.complain(
                self.tr("The preferences cannot be kept ({}); they hold until the window is closed.").format(error)
            )
        self.settings = settings
        if self._theme is not None:
            self._theme.choose(ThemeChoice(settings.theme))
        self.planner.use(settings)
        self.settings_changed.emit(settings)

    @Slot()
    def show_log(self) -> None:
        """Opens the log."""
        from yue2_desktop.ui.dialogs.log_viewer import LogDialog

        lines = self._log_lines()
        place = self.tr("No log is written.") if self._log_file is None else str(self._log_file)
        self.dialogs.show(partial(LogDialog, "".join(lines), place, self.report))

    @Slot()
    def copy_diagnostics(self) -> None:
        """Puts the redacted report on the clipboard and says so."""
        QGuiApplication.clipboard().setText(self.report())
        self.tell("told", self.tr("Diagnostics are on the clipboard, without lyrics and without your name in paths."))

    @Slot()
    def show_about(self) -> None:
        """Opens the licences."""
        from yue2_desktop.ui.dialogs.about import AboutDialog

        self.dialogs.show(AboutDialog)

    def report(self) -> str:
        """The diagnostics as they are copied."""
        from yue2_desktop.ui.diagnostics import diagnostics

        engine = self.window.status.engine_text
        return diagnostics(self.machine, self.settings, engine, self._log_lines(), self.session.document)

    def _log_lines(self) -> list[str]:
        if self._log_file is None or not self._log_file.is_file():
            return []
        try:
            with self._log_file.open(encoding="utf-8", errors="replace") as file:
                return list(deque(file, _LAST_LINES))
        except OSError as error:
            return [f"{error}\n"]

    @Slot(object)
    def _open_example(self, song: SongDocument) -> None:
        if self.documents.may_replace():
            self.session.load(song)

    @Slot()
    def _show_recent(self) -> None:
        self.window.menus.show_recent(self.remembered.recent())

    @Slot(str)
    def complain(self, text: str) -> None:
        """Tells what went wrong, beside what else did: the same is not told twice at once."""
        self.tell(text, text, "bad")

    def _refuse(self, problem: Any) -> None:
        self.complain(problem.sentence)

    @Slot(object)
    def _offer_lost(self, found: Found) -> None:
        for sentence in found.damaged:
            self.tell(sentence, sentence, "doubtful")
        for lost in reversed(found.snapshots):  # the newest is read first
            text = self.tr("“{}” was not saved when the program ended last time.").format(lost.document.shown_title)
            bring = partial(self.documents.restore, lost)
            self.tell(f"lost {lost.place}", text, "doubtful", self.tr("Bring it back"), bring)

    @Slot(object)
    def _show_plan(self, planned: Planned) -> None:
        self.machine = planned.machine
        self.window.status.set_device(device_words(planned.machine))
        self.window.fit_line.set_planning(planned.planning, planned.reason)

    @Slot(object)
    def _show_choices(self, document: SongDocument) -> None:
        self.window.fit_line.set_choices(document.render)
        if not self._asks:  # until somebody renders
            self.window.top_bar.set_primary(primary_action(document, count=1, has_newest_take=False))

    @Slot(str)
    def _choose_mode(self, name: str) -> None:
        document = self.session.document
        mode = next(mode for mode in MODES if mode == name)
        self.session.apply(self.tr("Mode"), replace(document, render=replace(document.render, mode=mode)))

    @Slot(int)
    def _choose_steps(self, steps: int) -> None:
        document = self.session.document
        self.session.apply(self.tr("Quality"), replace(document, render=replace(document.render, ode_steps=steps)))
