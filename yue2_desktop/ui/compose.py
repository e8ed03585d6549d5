"""Makes a window of its parts: the panels that there are, and the desk around them."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.settings import Settings
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Dialogs
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.panels import Panels
from yue2_desktop.ui.planner import ReadMachine
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import Theme


def compose(
    settings: Settings,
    *,
    theme: Theme | None = None,
    dialogs: Dialogs | None = None,
    read_machine: ReadMachine | None = None,
    log_file: Path | None = None,
    factory: EngineFactory | None = None,
) -> Desk:
    """The window with its real panels, not yet shown. What is not given is that of the user."""
    session = SongSession()
    editor = EditorPanel(session)
    desk = Desk(
        session,
        Panels(editor=editor),
        settings,
        theme=theme,
        dialogs=dialogs,
        read_machine=read_machine,
        log_file=log_file,
    )
    Controller(desk, factory=factory)
    desk.when_closing(editor.stop)
    return desk
