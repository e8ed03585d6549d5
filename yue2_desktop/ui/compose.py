"""Makes a window of its parts: the panels that there are, and the desk around them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.audio.sink import NullSink
from yue2_desktop.settings import Settings
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Dialogs
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.panels import Panels
from yue2_desktop.ui.planner import ReadMachine
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.score.preview_player import SinkFactory
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import Theme

if TYPE_CHECKING:
    from yue2_desktop.runtime.driver import EngineFactory


def compose(
    settings: Settings,
    *,
    theme: Theme | None = None,
    dialogs: Dialogs | None = None,
    read_machine: ReadMachine | None = None,
    log_file: Path | None = None,
    factory: EngineFactory | None = None,
    make_sink: SinkFactory = NullSink,
) -> Desk:
    """The window with its real panels, not yet shown. What is not given is that of the user."""
    session = SongSession()
    editor, score = EditorPanel(session), ScorePanel(session, make_sink=make_sink)
    desk = Desk(
        session,
        Panels(editor=editor, score=score),
        settings,
        theme=theme,
        dialogs=dialogs,
        read_machine=read_machine,
        log_file=log_file,
    )
    desk.when_begun(partial(_begin_rendering, desk, score, factory))
    desk.when_closing(editor.stop)
    desk.when_closing(score.stop)
    return desk


def _begin_rendering(desk: Desk, score: ScorePanel, factory: EngineFactory | None) -> None:
    """Queue and engine come once the window is painted; so do their imports."""
    from yue2_desktop.ui.controller import Controller

    controller = Controller(desk, factory=factory)
    score.write_score_requested.connect(controller.write_score)
    controller.begin()
