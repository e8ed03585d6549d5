"""What is made from takes that lie on the disk: the final of a draft or sketch, and the rest of one broken off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from yue2_desktop.queue.job import JobState
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.render_settings import FINAL_STEPS
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.new_jobs import final_of
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.unfinished import Unfinished, rest_of, unfinished_take


class FromTakes(QObject):
    """Belongs to one desk; folders are read beside the window. What cannot be made is given to `refused`.

    `waits(wish)` says that a wish is kept until it is known what model there is.
    """

    def __init__(
        self,
        desk: Desk,
        rendering: Rendering,
        refused: Callable[[Problem], None],
        waits: Callable[[Callable[[], None]], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._waits = waits
        self._desk = desk
        self._rendering = rendering
        self._refused = refused

    @Slot(str)
    def finalise(self, folder: str) -> None:
        """Queues the final of the draft or sketch in a folder."""
        if self._waits(partial(self.finalise, folder)):
            return
        draft = Path(folder)
        self._desk.background.run(partial(_song_of, draft), partial(self.make_final, draft), self._refused)

    @Slot(str)
    def finish(self, folder: str) -> None:
        """Queues the rest of the take in a folder, which goes on where it was broken off."""
        if self._waits(partial(self.finish, folder)):
            return
        take = Path(folder)
        self._desk.background.run(partial(unfinished_take, take), self._make_rest, self._refused)

    def make_final(self, draft: Path, document: SongDocument) -> None:
        """Queues the final of a draft whose song is known."""
        folder, plan = self._desk.settings.output_folder, self._plan_for(document)
        try:
            self._rendering.add(partial(final_of, document, draft, folder, plan=plan))
        except Problem as problem:
            self._refused(problem)

    def _make_rest(self, take: Unfinished) -> None:
        """Where a job for the same folder is kept, though it may not be in sight, that one goes on."""
        of_it = (job for job in self._rendering.jobs() if Path(job.folder) == take.folder)
        kept = next((job for job in of_it if job.state is not JobState.DONE), None)
        try:
            if kept is None:
                self._rendering.add(lambda places, _jobs: rest_of(take, places))
            elif kept.state.is_over:
                self._rendering.retry(kept.id, run_anyway=self._desk.window.fit_line.runs_anyway)
        except Problem as problem:
            self._refused(problem)

    def _plan_for(self, document: SongDocument) -> str:
        """The plan that is in view, if it is that of this song; its steps make no difference to it."""
        there, asked = self._desk.session.document, replace(document.render, ode_steps=FINAL_STEPS)
        is_ours = there.id == document.id and replace(there.render, ode_steps=FINAL_STEPS) == asked
        return self._desk.window.fit_line.plan_to_follow if is_ours else ""


def _song_of(folder: Path) -> SongDocument:
    """The song that a take is one of, as it was made. Raises Problem(BAD_FILE)."""
    from yue2_desktop.intake.take_song import song_of_take

    return song_of_take(folder).document
