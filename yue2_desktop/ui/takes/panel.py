"""The panel of takes and queue: values in, wishes out as signals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QStackedLayout, QVBoxLayout, QWidget

from yue2_desktop.library.browsing import Query
from yue2_desktop.library.soundings import Sounding
from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.ui.dialogs.seam import Dialogs, QtDialogs
from yue2_desktop.ui.tab_order import KEYBOARD
from yue2_desktop.ui.takes.empty import EmptyTakes
from yue2_desktop.ui.takes.header import TakesHeader
from yue2_desktop.ui.takes.list_view import TakesView
from yue2_desktop.ui.takes.model import TakesModel
from yue2_desktop.ui.takes.questions import NoteDialog, TrashDialog
from yue2_desktop.ui.takes.rows import (
    JobRow,
    Row,
    Scope,
    TakeRow,
    is_last,
    neighbour_above,
    neighbour_below,
    rows_of,
)
from yue2_desktop.ui.takes.words import lead_words, name_of


class TakesPanel(QWidget):
    """One list of queued renders and takes.

    It shows the takes that it is given, in the order in which they come: `query_changed` carries the `Query` that the
    library is to answer, and `query` is the one of now. Folders are strings, jobs are their ids.
    """

    query_changed = Signal(object)
    render_requested = Signal(int)
    cancel_requested = Signal(int)
    pause_requested = Signal(int)
    resume_requested = Signal(int)
    retry_requested = Signal(int)
    duplicate_requested = Signal(int)
    remove_requested = Signal(int)
    moved = Signal(int, object)
    play_requested = Signal(str)
    play_pause_requested = Signal()
    finish_requested = Signal(str)
    finalise_requested = Signal(str)
    star_toggled = Signal(str)
    note_changed = Signal(str, str)
    trash_requested = Signal(str)
    settings_requested = Signal(str)
    compare_requested = Signal(str, str)
    export_requested = Signal(str)
    show_in_folder_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, dialogs: Dialogs | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Takes and queue"))
        self._dialogs: Dialogs = dialogs or QtDialogs(self)
        self._takes: tuple[TakeSummary, ...] = ()
        self._jobs: tuple[Job, ...] = ()
        self._measured: tuple[str, tuple[TakeSummary, ...], tuple[int, ...]] = ("", (), ())
        self._cancelling: frozenset[int] = frozenset()
        self._song = ""
        self._reading = self._paused = False
        self._others = 0
        self.header = TakesHeader()
        self.model = TakesModel(self)
        self.view = TakesView(self.model)
        self.view.setAccessibleName(self.tr("Takes and queue"))
        self.empty = EmptyTakes()
        self._stack = QStackedLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(self._stack, 1)
        for page in (self.view, self.empty):  # once the layout has a parent: a page that is shown would be a window
            self._stack.addWidget(page)
        self.view.setObjectName("takes")
        self.setProperty(KEYBOARD, "takes")  # not the filter, which arrows would change
        self.header.changed.connect(self._query_changed)
        self.header.search.returnPressed.connect(self.focus_list)
        self.empty.everything_wanted.connect(self._show_everything)
        self.empty.render_wanted.connect(self._render_one)
        self.view.wished.connect(self._do)
        self.model.moved.connect(self.moved)
        self._show()

    @property
    def query(self) -> Query:
        """What the library is to be asked for."""
        return self.header.query

    def use_dialogs(self, dialogs: Dialogs) -> None:
        """Asks through these dialogs from now on."""
        self._dialogs = dialogs

    def set_song(self, song: str) -> None:
        """Another song is open: its id."""
        self._song = song
        self.header.set_song(song)
        self._show()

    def set_reading(self, reading: bool) -> None:
        """Whether the library is still being looked through."""
        self._reading = reading
        self._show()

    def set_takes(self, takes: Iterable[TakeSummary]) -> None:
        """The takes that answer `query`, in order."""
        self._takes = tuple(takes)
        self._show()

    def set_others(self, count: int) -> None:
        """How many takes there are of other songs, where there is none of this one."""
        self._others = count
        self._show()

    def set_jobs(self, jobs: Iterable[Job]) -> None:
        """The queue in its order; jobs that are done are left out."""
        self._jobs = tuple(jobs)
        running = {job.id for job in self._jobs if job.state is JobState.RUNNING}
        self._cancelling &= running
        self._show()

    @Slot(bool)
    def set_paused(self, paused: bool) -> None:
        """Whether the queue is paused: no job that waits is begun."""
        self._paused = paused
        self.header.set_paused(paused)
        self._show()

    def set_soundings(self, soundings: Mapping[str, Sounding]) -> None:
        """What was measured of sounds, by folder; only what is there is drawn."""
        self.view.rows.soundings = soundings
        self.view.viewport().update()

    def set_playing(self, folder: str, is_sounding: bool) -> None:
        """Which take the player has, empty for none, and whether it is heard."""
        self.view.rows.playing, self.view.rows.is_sounding = folder, is_sounding
        self.view.viewport().update()

    def select(self, key: str) -> None:
        """Makes a row the current one; see `Row.key`."""
        self.view.select(key)

    @Slot()
    def focus_list(self) -> None:
        """Puts the keyboard into the list."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def stop(self) -> None:
        """Ends what waits for a moment."""
        self.header.stop()

    @Slot()
    def _query_changed(self) -> None:
        self._show()
        self.query_changed.emit(self.query)

    @Slot()
    def _render_one(self) -> None:
        self.render_requested.emit(1)

    @Slot()
    def _show_everything(self) -> None:
        self.header.scope.setCurrentIndex(1)
        self.header.clear_search()

    def _show(self) -> None:
        rows = rows_of(
            self._takes,
            self._jobs,
            scope=self.header.listed,
            song=self._song,
            cancelling=self._cancelling,
            paused=self._paused,
        )
        painted = self.view.rows
        song = self._song if self.header.listed is Scope.SONG else ""
        # Not at every step of a render: a long list takes some milliseconds.
        listed = (song, self._takes, tuple(job.id for job in self._jobs))
        if listed != self._measured:
            painted.song, self._measured = song, listed
            painted.widest_lead = max((lead_words(row, song) for row in rows), key=len, default="")
        self.model.set_rows(rows)
        self.view.viewport().update()
        takes = sum(isinstance(row, TakeRow) for row in rows)
        self.header.count.setText(_count(self, takes, sum(job.state is JobState.WAITING for job in self._jobs)))
        self.empty.say(self.header.listed, self.query.text, reading=self._reading, others=self._others)
        self._stack.setCurrentWidget(self.view if rows else self.empty)

    @Slot(str, object)
    def _do(self, name: str, row: Row) -> None:
        if name == "toggle" and (isinstance(row, JobRow) or not row.has_sound or self._plays(row)):
            self.play_pause_requested.emit()
        elif isinstance(row, TakeRow):
            self._do_take("play" if name == "toggle" else name, row)
        else:
            self._do_job(name, row)

    def _plays(self, row: TakeRow) -> bool:
        return self.view.rows.playing == str(row.folder)

    def _do_take(self, name: str, row: TakeRow) -> None:
        folder = str(row.folder)
        if name == "note":
            self._edit_note(row)
        elif name == "trash":
            self._trash(row)
        elif name == "compare":
            others = [one for one in self.view.chosen if isinstance(one, TakeRow) and one.key != row.key]
            if others:
                self.compare_requested.emit(folder, str(others[0].folder))
        elif name == "play" and self._plays(row):
            self.play_pause_requested.emit()
        else:
            signals: dict[str, Callable[[str], None]] = {
                "play": self.play_requested.emit,
                "star": self.star_toggled.emit,
                "finish": self.finish_requested.emit,
                "finalise": self.finalise_requested.emit,
                "settings": self.settings_requested.emit,
                "export": self.export_requested.emit,
                "folder": self.show_in_folder_requested.emit,
            }
            signals[name](folder)

    def _do_job(self, name: str, row: JobRow) -> None:
        job = row.job.id
        if name == "up":
            before = neighbour_above(self.model.rows, job)
            if before is not None:
                self.moved.emit(job, before)
        elif name == "down":
            if not is_last(self.model.rows, job):
                self.moved.emit(job, neighbour_below(self.model.rows, job))
        elif name == "cancel_all":
            for one in reversed(self.model.waiting):
                self.cancel_requested.emit(one.job.id)
        elif name == "settings":
            self.settings_requested.emit(row.job.folder)
        elif name == "folder":
            self.show_in_folder_requested.emit(row.job.folder)
        else:
            if name == "cancel" and row.job.state is JobState.RUNNING:
                self._cancelling |= {job}
                self._show()
            signals: dict[str, Callable[[int], None]] = {
                "cancel": self.cancel_requested.emit,
                "pause": self.pause_requested.emit,
                "resume": self.resume_requested.emit,
                "retry": self.retry_requested.emit,
                "duplicate": self.duplicate_requested.emit,
                "remove": self.remove_requested.emit,
            }
            signals[name](job)

    def _trash(self, row: TakeRow) -> None:
        chosen = [one for one in self.view.chosen if isinstance(one, TakeRow)]
        if row.key not in {one.key for one in chosen}:
            chosen = [row]
        if self._dialogs.show(partial(TrashDialog, tuple(name_of(one) for one in chosen))):
            for one in chosen:
                self.trash_requested.emit(str(one.folder))

    def _edit_note(self, row: TakeRow) -> None:
        made: list[NoteDialog] = []

        def make(parent: QWidget) -> QDialog:
            made.append(NoteDialog(name_of(row), row.take.note, parent))
            return made[0]

        if self._dialogs.show(make) and made[0].note != row.take.note:
            self.note_changed.emit(str(row.folder), made[0].note)


def _count(panel: TakesPanel, takes: int, waiting: int) -> str:
    """How many takes are listed, and how many renders wait: two rows in sight do not show how long the queue is."""
    words = [] if takes == 0 else [panel.tr("1 take") if takes == 1 else panel.tr("%n takes", "", takes)]
    if waiting:
        words.append(panel.tr("1 waits") if waiting == 1 else panel.tr("%n wait", "", waiting))
    return ", ".join(words)
