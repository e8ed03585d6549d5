"""The application: one process, one window, its faults in the log; opened before anything heavy is loaded."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from yue2_desktop import __version__, paths, settings
from yue2_desktop.settings import LoadedSettings, Settings
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.first_song import lay_out_first_song
from yue2_desktop.ui.garbage import GarbageInWindow
from yue2_desktop.ui.single_instance import SingleInstance
from yue2_desktop.ui.theme.applied import Theme
from yue2_desktop.ui.theme.icons import icon
from yue2_desktop.ui.theme.palette import LIGHT, ThemeChoice
from yue2_desktop.ui.turns import take_short_turns

if TYPE_CHECKING:
    from yue2_desktop.audio.sink import AudioSink

_log = logging.getLogger(__name__)
_LOG_NAME: Final = "yue2-desktop.log"


def run(argv: Sequence[str]) -> int:
    """Opens the window with the file in `argv`, if any; the exit status when it is closed.

    A second start hands its file to the window that is open and ends with 0.
    """
    take_short_turns()
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication([sys.argv[0] if sys.argv else "yue2-desktop"])
    app.setApplicationName("YuE2 Desktop")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("yue2-desktop")
    path = Path(argv[0]) if argv else None
    instance = SingleInstance()
    if not instance.claim():
        if instance.hand_over(path):
            return 0
        _log.warning("the window that is open does not answer; opening another one")
    loaded = _loaded()
    theme = Theme(app, ThemeChoice(loaded.settings.theme))
    app.setWindowIcon(icon("render", LIGHT, colour=LIGHT.accent))
    desk = compose(
        loaded.settings,
        theme=theme,
        log_file=paths.log_folder() / _LOG_NAME,
        make_sink=_device,
        make_player_sink=_device,
        at_once=False,
    )
    faults = Faults(desk)
    garbage = GarbageInWindow(desk)
    desk.settled.connect(garbage.keep)
    instance.asked.connect(desk.come_forward)
    for sentence in loaded.complaints:
        desk.tell(sentence, sentence, "doubtful")
    if path is None:
        lay_out_first_song(desk)
    else:
        desk.documents.open_path(path)
    desk.show()
    try:
        return app.exec()
    finally:
        garbage.let_go()
        faults.let_go()
        instance.close()
        # Widgets must go before the application does; left to Python the order is a matter of luck.
        desk.window.deleteLater()
        desk.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _device(name: str | None) -> AudioSink:
    """A sink of the machine's own sound device; what plays is not loaded before it is asked to."""
    from yue2_desktop.audio.device_sink import DeviceSink

    return DeviceSink(name)


def _loaded() -> LoadedSettings:
    try:
        return settings.load()
    except Problem as problem:
        return LoadedSettings(Settings(), (problem.sentence,))


class Faults(QObject):
    """Faults of the program, from any thread, go to the log and are told in the window."""

    _found = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._found.connect(self._tell)
        self._hooks = sys.excepthook, threading.excepthook
        sys.excepthook = self._caught
        threading.excepthook = self._caught_in_thread

    def let_go(self) -> None:
        """Puts the hooks back."""
        sys.excepthook, threading.excepthook = self._hooks

    def _caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("a fault of the program", exc_info=(kind, error, trace))
        self._found.emit(f"{kind.__name__}: {error}")

    def _caught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._caught(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(str)
    def _tell(self, what: str) -> None:
        text = self.tr("Something in the program went wrong ({}). Your song is kept.").format(what)
        self._desk.tell("fault", text, "bad", self.tr("Show the log"), self._desk.show_log)
