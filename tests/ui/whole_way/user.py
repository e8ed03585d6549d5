"""The scripted user: what is looked at in a window, and the answers to its dialogs, by real buttons where there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers
from tests.ui.whole_way.hands import Hands
from yue2_desktop.queue.job import Job, JobPart, JobState
from yue2_desktop.song.lyrics.lyric_file import Lyrics, LyricsFile
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.rendering import Rendering
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.takes.export_dialog import ExportDialog
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import JobRow, TakeRow


@dataclass
class Looking(Answers):
    """Answers as somebody who looks and presses buttons; `previews` are the readings of lyrics that were shown."""

    qtbot: QtBot | None = None
    previews: list[str] = field(default_factory=list)

    def reading(self, file: LyricsFile) -> Lyrics | None:
        """Takes the first reading by its button."""
        dialog = EncodingDialog(file)
        dialog.show()
        self.previews.append(dialog.findChild(QPlainTextEdit).toPlainText())
        assert self.qtbot is not None
        Hands(dialog, self.qtbot).click("Take these words")
        chosen = dialog.chosen if dialog.result() == QDialog.DialogCode.Accepted else None
        dialog.deleteLater()
        return chosen


@dataclass
class User:
    """A desk, the hands at it, and the panels that are looked at."""

    desk: Desk
    hands: Hands

    @property
    def rendering(self) -> Rendering:
        """The queue, which says more exactly than its rows how a job ended."""
        found = self.desk.findChild(Controller)
        assert isinstance(found, Controller)
        return found.rendering

    @property
    def takes(self) -> TakesPanel:
        """The list."""
        return self.desk.window.findChild(TakesPanel)

    @property
    def score(self) -> ScorePanel:
        """The score."""
        return self.desk.window.findChild(ScorePanel)

    @property
    def player(self) -> PlayerBar:
        """The player."""
        return self.desk.window.findChild(PlayerBar)

    def rows(self) -> list[TakeRow]:
        """The takes in the list."""
        return [row for row in self.takes.model.rows if isinstance(row, TakeRow)]

    def take_jobs(self) -> list[Job]:
        """The renders of takes, in the order of the queue."""
        return [job for job in self.rendering.jobs() if job.part is JobPart.TAKE]

    def press(self, folder: Path, part: str) -> None:
        """Presses a part of a take's row."""
        self.hands.press_part(self.takes.view, self.takes.model.index_of(f"take {folder}"), part)

    def pick(self, folder: Path, word: str) -> None:
        """Takes an entry of the menu of a take's row."""
        self.hands.pick_for_row(self.takes.view, self.takes.model.index_of(f"take {folder}"), word)

    def wait_for_take(self, number: int) -> Path:
        """Waits until that many renders were asked for and the last is done and listed; its folder."""
        self.hands.wait(lambda: len(self.take_jobs()) == number and self.take_jobs()[-1].state.is_over)
        job = self.take_jobs()[-1]
        assert (job.state, job.problem) == (JobState.DONE, "")
        self.hands.wait(lambda: any(row.folder == Path(job.folder) for row in self.rows()))
        return Path(job.folder)

    def cancels_in(self, stage: str) -> bool:
        """Presses the cross of the last render while it is in that stage; whether all renders are over."""
        last = self.take_jobs()[-1]
        index = self.takes.model.index_of(f"job {last.id}")
        row = self.takes.model.row_at(index)
        is_there = last.state is JobState.RUNNING and last.standing is not None and last.standing.stage == stage
        if is_there and isinstance(row, JobRow) and not row.cancelling:
            self.hands.press_part(self.takes.view, index, "play")
        return all(job.state.is_over for job in self.take_jobs())

    def export(self, dialog: QDialog) -> None:
        """Presses the buttons of the dialog that exports, as it opens."""
        assert isinstance(dialog, ExportDialog)
        dialog.show()
        hands = Hands(dialog, self.hands.qtbot)
        assert dialog.format_key.startswith("flac")
        hands.click("Export")
        hands.wait(lambda: dialog.exported is not None)
        hands.click("Close")

    def close(self) -> None:
        """Closes the window, and is done with it."""
        assert self.desk.window.close()
        self.desk.window.deleteLater()
        self.desk.deleteLater()
