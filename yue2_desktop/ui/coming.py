"""The panels and the work that come into a window, each with what it is joined to; imports are made as they come."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.panels import Panels

if TYPE_CHECKING:
    from yue2_desktop.audio.sink import AudioSink
    from yue2_desktop.runtime.driver import EngineFactory
    from yue2_desktop.ui.controller import Controller
    from yue2_desktop.ui.player.bar import PlayerBar
    from yue2_desktop.ui.player.opening import MakeSink
    from yue2_desktop.ui.score.drawing import Drawing
    from yue2_desktop.ui.score.panel import ScorePanel
    from yue2_desktop.ui.shelf import Shelf
    from yue2_desktop.ui.takes.panel import TakesPanel


class Coming:
    """The steps, in order: `panels` are in the window's places, `work` is what they ask for.

    A step joins what it makes to what is there; what an earlier one could not make is None, and done without. Held,
    nothing is drawn before `release`.
    """

    def __init__(
        self,
        desk: Desk,
        factory: EngineFactory | None,
        make_sink: MakeSink,
        make_player_sink: MakeSink,
        *,
        is_held: bool = False,
    ) -> None:
        self._desk = desk
        self._is_held = is_held
        self._factory = factory
        self._make_sink, self._make_player_sink = make_sink, make_player_sink
        self._drawing: Drawing | None = None
        self._score: ScorePanel | None = None
        self._takes: TakesPanel | None = None
        self._player: PlayerBar | None = None
        self._controller: Controller | None = None
        self._shelf: Shelf | None = None
        self.panels: tuple[Callable[[], None], ...] = (
            self._make_score, self._put_score, self._put_takes, self._put_player
        )  # fmt: skip
        self.work: tuple[Callable[[], None], ...] = (
            self._begin_rendering, self._begin_library, self._begin_knowing, self._begin_looking
        )  # fmt: skip

    @property
    def renders(self) -> bool:
        """Whether there is somebody to render."""
        return self._controller is not None

    def release(self) -> None:
        """Draws the score, where it came."""
        if self._drawing is not None:
            self._drawing.release()

    def is_drawing(self) -> bool:
        """Whether the score is being drawn."""
        return self._drawing is not None and self._drawing.is_busy

    def _make_score(self) -> None:
        from yue2_desktop.ui.score.drawing import Drawing
        from yue2_desktop.ui.score.panel import ScorePanel

        self._drawing = Drawing(self._desk)
        if self._is_held:
            self._drawing.hold()
        self._score = ScorePanel(self._desk.session, make_sink=self._preview_sink, drawing=self._drawing)
        self._desk.when_closing(self._score.stop)

    def _put_score(self) -> None:
        if self._score is not None:
            self._desk.window.put_in(Panels(score=self._score))

    def _preview_sink(self) -> AudioSink:
        """A score is heard where takes are."""
        return self._make_sink(self._desk.remembered.sound_device())

    def _put_takes(self) -> None:
        from yue2_desktop.ui.takes.panel import TakesPanel

        takes = TakesPanel(dialogs=self._desk.dialogs)
        takes.set_song(self._desk.session.document.id)
        self._desk.when_closing(takes.stop)
        self._desk.window.put_in(Panels(takes=takes))
        self._takes = takes

    def _put_player(self) -> None:
        from yue2_desktop.ui.player.bar import PlayerBar

        desk, takes = self._desk, self._takes
        player = PlayerBar(make_sink=self._make_player_sink)
        player.set_device(desk.remembered.sound_device())
        player.device_chosen.connect(desk.remembered.keep_sound_device)
        desk.when_closing(player.close_sound)
        if takes is not None:
            takes.trash_requested.connect(player.release)  # before the files go to the bin
            takes.play_pause_requested.connect(player.play_pause)
            player.playing_changed.connect(takes.set_playing)
        if self._score is not None:
            self._score.preview_requested.connect(player.pause)
        desk.window.play_pressed.connect(player.play_pause)
        desk.window.put_in(Panels(player=player))
        self._player = player

    def _begin_rendering(self) -> None:
        from yue2_desktop.ui.controller import Controller

        self._controller = controller = Controller(self._desk, factory=self._factory)
        rendering, takes = controller.rendering, self._takes
        if self._score is not None:
            self._score.write_score_requested.connect(controller.write_score)
            controller.pending.changed.connect(self._score.empty.show_pending)
        if takes is not None:
            rendering.jobs_changed.connect(takes.set_jobs)
            takes.set_paused(rendering.is_paused)
            rendering.paused_changed.connect(takes.set_paused)
            takes.header.go_on_wanted.connect(partial(rendering.pause_all, False))
            takes.render_requested.connect(controller.render_takes)
            takes.finalise_requested.connect(controller.from_takes.finalise)
            takes.finish_requested.connect(controller.from_takes.finish)
            takes.cancel_requested.connect(rendering.cancel)
            takes.pause_requested.connect(rendering.pause)
            takes.resume_requested.connect(rendering.resume)
            takes.retry_requested.connect(controller.faults.retry)
            takes.duplicate_requested.connect(rendering.duplicate)
            takes.remove_requested.connect(rendering.remove)
            takes.moved.connect(rendering.move)

    def _begin_library(self) -> None:
        from yue2_desktop.ui.shelf import Shelf
        from yue2_desktop.ui.take_dialogs import TakeDialogs
        from yue2_desktop.ui.wiring_scores import ScoreWiring

        desk, takes, player, controller = self._desk, self._takes, self._player, self._controller
        if takes is None:
            return
        self._shelf = shelf = Shelf(takes, desk.settings, desk)
        shelf.show_song(desk.session.document)
        asked = TakeDialogs(desk.dialogs, desk.settings, desk)
        takes.export_requested.connect(asked.export)
        takes.compare_requested.connect(asked.compare)
        asked.went_wrong.connect(desk.complain)
        desk.settings_changed.connect(asked.use)
        desk.when_closing(asked.close)
        desk.settings_changed.connect(shelf.use)
        desk.session.changed.connect(shelf.show_song)
        shelf.song_wanted.connect(desk.documents.open_path)
        shelf.went_wrong.connect(desk.complain)
        desk.when_closing(shelf.close)
        if player is not None:
            shelf.sound_wanted.connect(player.load)
            player.position_changed.connect(shelf.follow)
        if self._score is not None:
            shelf.place_changed.connect(self._score.set_position)
        if controller is not None:
            controller.takes_changed.connect(shelf.look)
            shelf.numbers_found.connect(controller.rendering.know_numbers)
            controller.play_wanted.connect(shelf.play)
        if controller is not None and player is not None:
            controller.offers_playing()
        if controller is not None and player is not None and self._score is not None:
            ScoreWiring(desk, controller.rendering, shelf, self._score, player)

    def _begin_knowing(self) -> None:
        from yue2_desktop.ui.engine_knowledge import EngineKnowledge
        from yue2_desktop.ui.title_progress import TitleProgress
        from yue2_desktop.ui.token_counting import TokenCounting

        controller = self._controller
        if controller is None:
            return
        counting = TokenCounting(self._desk, controller.rendering)
        TitleProgress(self._desk.window, controller.rendering)
        knowledge = EngineKnowledge(self._desk.planner, controller.rendering, counting.count, self._desk)
        controller.model.found.connect(knowledge.use_model)

    def _begin_looking(self) -> None:
        if self._controller is not None:
            self._controller.begin()
        if self._shelf is not None:
            self._shelf.look()
