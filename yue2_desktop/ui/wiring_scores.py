"""What the panels tell each other about the song's score: its length, its plans, the one that is being sung."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.score_watch import ScoreWatch
from yue2_desktop.ui.shelf import Shelf


class ScoreWiring(QObject):
    """Belongs to one desk."""

    def __init__(self, desk: Desk, rendering: Rendering, shelf: Shelf, score: ScorePanel, player: PlayerBar) -> None:
        super().__init__(desk)
        self._score = score
        self._editors = desk.window.findChildren(EditorPanel)
        watch = ScoreWatch(desk.session, desk.background, self)
        rendering.jobs_changed.connect(watch.look)
        watch.found.connect(shelf.look)
        shelf.plans_found.connect(score.set_plans)
        shelf.sounding_found.connect(player.set_sounding)
        score.edits.read.connect(self._tell_length)
        self._tell_length()

    @Slot()
    def _tell_length(self) -> None:
        for editor in self._editors:
            editor.set_score_seconds(self._score.seconds)
