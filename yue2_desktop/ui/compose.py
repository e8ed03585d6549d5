"""Makes a window of its parts: the panels that there are, and the desk around them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from yue2_desktop.audio.sink import AudioSink, NullSink
from yue2_desktop.settings import Settings
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Dialogs
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.panels import Panels
from yue2_desktop.ui.planner import ReadMachine
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.player.opening import MakeSink
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.score.preview_player import SinkFactory
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.theme.applied import Theme

if TYPE_CHECKING:
    from yue2_desktop.runtime.driver import EngineFactory


def silent(_device: str | None) -> AudioSink:
    """A sink for whoever wants to hear nothing."""
    return NullSink()


def compose(
    settings: Settings,
    *,
    theme: Theme | None = None,
    dialogs: Dialogs | None = None,
    read_machine: ReadMachine | None = None,
    log_file: Path | None = None,
    factory: EngineFactory | None = None,
    make_sink: SinkFactory = NullSink,
    make_player_sink: MakeSink = silent,
) -> Desk:
    """The window with its real panels, not yet shown. What is not given is that of the user."""
    session = SongSession()
    editor, score, takes = EditorPanel(session), ScorePanel(session, make_sink=make_sink), TakesPanel()
    player = PlayerBar(make_sink=make_player_sink)
    desk = Desk(
        session,
        Panels(editor=editor, score=score, takes=takes, player=player),
        settings,
        theme=theme,
        dialogs=dialogs,
        read_machine=read_machine,
        log_file=log_file,
    )
    takes.use_dialogs(desk.dialogs)
    takes.set_song(session.document.id)
    desk.when_begun(partial(_begin_rendering, desk, score, takes, player, factory))
    desk.when_closing(editor.stop)
    desk.when_closing(score.stop)
    desk.when_closing(takes.stop)
    desk.when_closing(player.close_sound)
    return desk


def _begin_rendering(
    desk: Desk, score: ScorePanel, takes: TakesPanel, player: PlayerBar, factory: EngineFactory | None
) -> None:
    """Queue, engine and library come once the window is painted; so do their imports."""
    from yue2_desktop.ui.controller import Controller
    from yue2_desktop.ui.shelf import Shelf
    from yue2_desktop.ui.take_dialogs import TakeDialogs

    controller = Controller(desk, factory=factory)
    rendering = controller.rendering
    takes.trash_requested.connect(player.release)  # before the files go to the bin
    shelf = Shelf(takes, desk.settings, desk)
    shelf.show_song(desk.session.document)
    asked = TakeDialogs(desk.dialogs, desk.settings, desk)
    takes.export_requested.connect(asked.export)
    takes.compare_requested.connect(asked.compare)
    asked.went_wrong.connect(desk.complain)
    desk.settings_changed.connect(asked.use)
    desk.when_closing(asked.close)
    score.write_score_requested.connect(controller.write_score)
    rendering.jobs_changed.connect(takes.set_jobs)
    takes.render_requested.connect(controller.render_takes)
    takes.finalise_requested.connect(controller.finalise)
    takes.cancel_requested.connect(rendering.cancel)
    takes.pause_requested.connect(rendering.pause)
    takes.resume_requested.connect(rendering.resume)
    takes.retry_requested.connect(rendering.retry)
    takes.duplicate_requested.connect(rendering.duplicate)
    takes.remove_requested.connect(rendering.remove)
    takes.moved.connect(rendering.move)
    controller.takes_changed.connect(shelf.look)
    desk.settings_changed.connect(shelf.use)
    desk.session.changed.connect(shelf.show_song)
    shelf.song_wanted.connect(desk.documents.open_path)
    shelf.went_wrong.connect(desk.complain)
    desk.when_closing(shelf.close)
    shelf.sound_wanted.connect(player.load)
    takes.play_pause_requested.connect(player.play_pause)
    desk.window.play_pressed.connect(player.play_pause)
    player.playing_changed.connect(takes.set_playing)
    player.position_changed.connect(shelf.follow)
    shelf.place_changed.connect(score.set_position)
    score.preview_requested.connect(player.pause)
    controller.offers_playing()
    controller.play_wanted.connect(shelf.play)
    controller.begin()
    shelf.look()
