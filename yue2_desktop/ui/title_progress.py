"""How far the running render is, in the window's title: a window that is minimised shows nothing else."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.takes.words import time_words
from yue2_desktop.ui.window import MainWindow


class TitleProgress(QObject):
    """Belongs to one window."""

    def __init__(self, window: MainWindow, rendering: Rendering) -> None:
        super().__init__(window)
        self._window = window
        rendering.jobs_changed.connect(self._show)

    @Slot(object)
    def _show(self, jobs: tuple[Job, ...]) -> None:
        running = next((job for job in jobs if job.state is JobState.RUNNING), None)
        if running is None:
            self._window.show_progress("")
            return
        self._window.show_progress(time_words(running.standing) or self.tr("rendering"))
