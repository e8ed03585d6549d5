"""Makes a window of its parts: words and frame at once, what takes longer to load once they are painted."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.settings import Settings
from yue2_desktop.ui.arrival import Arrival, PressedEarly
from yue2_desktop.ui.coming import Coming
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Dialogs
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.loading import load_beside, panel_steps
from yue2_desktop.ui.missing import Missing
from yue2_desktop.ui.panels import Panels
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.settling import Piece, Settling
from yue2_desktop.ui.theme.applied import Theme

if TYPE_CHECKING:
    from yue2_desktop.audio.sink import AudioSink
    from yue2_desktop.runtime.driver import EngineFactory
    from yue2_desktop.ui.plan_work import ReadMachine
    from yue2_desktop.ui.player.opening import MakeSink


def silent(_device: str | None) -> AudioSink:
    """A sink for whoever wants to hear nothing."""
    from yue2_desktop.audio.sink import NullSink

    return NullSink()


def compose(
    settings: Settings,
    *,
    theme: Theme | None = None,
    dialogs: Dialogs | None = None,
    read_machine: ReadMachine | None = None,
    log_file: Path | None = None,
    factory: EngineFactory | None = None,
    make_sink: MakeSink = silent,
    make_player_sink: MakeSink = silent,
    at_once: bool = True,
) -> Desk:
    """The window with its real panels, not yet shown. What is not given is that of the user.

    Without `at_once` score, takes and player come after the first paint; until then there are empty places.
    """
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
    desk.when_closing(editor.stop)
    coming = Coming(desk, factory, make_sink, make_player_sink, is_held=not at_once)
    if at_once:
        for step in coming.panels:
            step()
        desk.when_begun(desk.look_around)
        desk.when_begun(Arrival(coming.work, desk).do_all)
        return desk
    desk.planner.hold()  # threads that load and plan at once keep each other, and the window, waiting
    editor.hold()
    arrival = Arrival((*panel_steps(), *coming.panels, *coming.work), desk)
    missing = Missing(desk, lambda: coming.renders)
    arrival.failed.connect(missing.note)
    arrival.arrived.connect(missing.close)  # before a press is given back, which it may have to answer
    early = PressedEarly(desk.window, desk)
    arrival.arrived.connect(early.give_back)
    settling = Settling(
        (
            Piece(coming.release, coming.is_drawing),
            Piece(desk.look_around, lambda: desk.planner.is_planning),
            Piece(editor.release, editor.is_finding),
        ),
        desk,
    )
    arrival.arrived.connect(settling.begin)
    settling.settled.connect(desk.settled)
    desk.when_closing(arrival.stop)
    desk.when_closing(settling.stop)
    desk.when_begun(partial(desk.background.run, load_beside, lambda _: arrival.begin()))
    return desk
