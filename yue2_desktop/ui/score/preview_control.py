"""Starts and stops the preview from the bar and the notation, and lets the cursor follow it."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop.audio.sink import SinkError
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.score.notation import NotationView
from yue2_desktop.ui.score.note_commands import NoteCommands
from yue2_desktop.ui.score.preview_player import PreviewPlayer, SinkFactory, play_problem
from yue2_desktop.ui.score.score_bar import ScoreBar
from yue2_desktop.ui.score.score_edits import ScoreEdits


class PreviewControl(QObject):
    """`began` has the time in quarters from which it plays; `ended` comes however it ended."""

    began = Signal(float)
    ended = Signal()

    def __init__(
        self,
        make_sink: SinkFactory,
        edits: ScoreEdits,
        commands: NoteCommands,
        bar: ScoreBar,
        notation: NotationView,
    ) -> None:
        super().__init__(notation)
        self.player = PreviewPlayer(make_sink, self)
        self._edits, self._commands, self._bar, self._notation = edits, commands, bar, notation
        bar.preview_asked.connect(self.toggle)
        self.player.moved.connect(notation.set_time)
        self.player.started.connect(self._show)
        self.player.stopped.connect(self._show)
        self.player.stopped.connect(self.ended)

    @Slot()
    def toggle(self) -> None:
        """Plays from the chosen note on, or stops."""
        if self.player.is_playing:
            self.player.stop()
            return
        parsed, element = self._edits.parsed(), self._commands.element
        if parsed is None:
            return
        start = element.onset if element is not None else Fraction(0)
        self.began.emit(float(start))
        try:
            self.player.play(parsed.score, start)
        except (Problem, SinkError) as error:
            self._edits.refused.emit(play_problem(error))
            self.ended.emit()

    @Slot()
    def _show(self) -> None:
        self._bar.show_playing(playing=self.player.is_playing)
        if not self.player.is_playing:
            self._notation.set_time(None)
