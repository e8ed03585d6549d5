"""Songs and their files: new, open, save, drop; what would be lost is asked about first."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from yue2_desktop.intake.dropped import Dropped, DroppedLyrics, DroppedScore, DroppedSong
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.filenames import safe_file_name
from yue2_desktop.song.lyrics.encodings import Certainty
from yue2_desktop.song.lyrics.lyric_file import Lyrics
from yue2_desktop.song.project_file import SUFFIX, Project
from yue2_desktop.song.recovery import Snapshot
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.dialogs.seam import Dialogs, Unsaved
from yue2_desktop.ui.remembered import Remembered
from yue2_desktop.ui.saves import Saves
from yue2_desktop.ui.session import SongSession

_log = logging.getLogger(__name__)


class Documents(QObject):
    """Files are read and written beside the window. `told` carries notes, `went_wrong` a sentence with its cure.

    `asked` comes before a file is opened, `restored` carries the Snapshot of a song that was brought back.
    """

    asked = Signal()
    told = Signal(str)
    went_wrong = Signal(str)
    saved = Signal()
    restored = Signal(object)

    def __init__(
        self,
        session: SongSession,
        dialogs: Dialogs,
        remembered: Remembered,
        background: Background,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._dialogs = dialogs
        self._remembered = remembered
        self._background = background
        self._saves = Saves()
        session.document_loaded.connect(self._know_file)
        self._shown: SongDocument | None = None

    def begin_with(self, example: SongDocument) -> None:
        """Shows an example that nobody asked for: what is dropped on it begins a song of its own."""
        self._session.load(example)
        self._shown = self._session.document

    def new(self) -> None:
        """An empty song."""
        if self.may_replace():
            self._session.load(SongDocument())

    def duplicate(self) -> None:
        """A copy of this song as a new one."""
        copy = self._session.document.duplicated()
        if self.may_replace():
            self._session.load(copy, is_saved=False)

    def open(self) -> None:
        """Asks for a file and opens it."""
        path = self._dialogs.path_to_open(self._remembered.last_folder)
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> None:
        """Opens what is at `path`: a song takes this one's place, lyrics and scores go into it."""
        self.asked.emit()
        self._background.run(partial(_read, path), self._opened, self._refused)

    def restore(self, snapshot: Snapshot) -> None:
        """Brings back a song that was lost; `restored` tells it."""
        if self.may_replace():
            self._session.load(snapshot.document, snapshot.project, mark=snapshot.mark, is_saved=False)
            self.restored.emit(snapshot)

    def save(self) -> None:
        """Saves to the song's file, or asks for one."""
        if self._session.path is None:
            self.save_as()
        else:
            self._write(self._session.path, anew=False)

    def save_as(self) -> None:
        """Asks for a file and saves there."""
        path = self._new_path()
        if path is not None:
            self._write(path, anew=True)

    def may_replace(self) -> bool:
        """Whether the open song may go: it is saved, or empty, or the user lets it go or saves it now."""
        document = self._session.document
        if not self._session.is_modified or document.is_blank:
            self._keep_seed()
            return True
        match self._dialogs.unsaved(document.shown_title):
            case Unsaved.SAVE:
                return self._save_and_wait()
            case Unsaved.DISCARD:
                return True
            case _:
                return False

    def _save_and_wait(self) -> bool:
        path = self._session.path or self._new_path()
        if path is None:
            return False
        try:
            self._written(self._saves.save(self._session.document, path, anew=path != self._session.path))
        except Problem as problem:
            self._refused(problem)
            return False
        return True

    def _keep_seed(self) -> None:
        """The file learns how far the seed was counted, so that the next take of another day is another one."""
        if self._session.path is None or not self._session.has_moved_seed:
            return
        try:
            self._saves.save(self._session.document, self._session.path, anew=False, backs_up=False)
        except Problem as problem:  # nothing that somebody wrote: a file that cannot be written is no reason to ask
            _log.info("the seed of the song was not kept: %s", problem.sentence)

    def _new_path(self) -> Path | None:
        name = safe_file_name(self._session.document.shown_title, SUFFIX)
        folder = self._session.path.parent if self._session.path is not None else self._remembered.last_folder
        return self._dialogs.path_to_save(folder / name)

    def _write(self, path: Path, *, anew: bool) -> None:
        work: Callable[[], Project] = partial(self._saves.save, self._session.document, path, anew=anew)
        self._background.run(work, self._written, self._refused)

    def _written(self, project: Project) -> None:
        if project.document.id == self._session.document.id:
            self._session.mark_saved(project)
        self._remembered.add_recent(project.path)
        self.saved.emit()

    def _know_file(self) -> None:
        if self._session.path is not None:
            self._saves.know(self._session.path, self._session.mark)

    def _refused(self, problem: Problem) -> None:
        self.went_wrong.emit(problem.sentence)

    def _opened(self, dropped: Dropped) -> None:
        match dropped:
            case DroppedLyrics():
                self._take_lyrics(dropped)
            case DroppedScore():
                self._take_score(dropped)
            case DroppedSong():
                self._take_song(dropped)

    def _take_lyrics(self, dropped: DroppedLyrics) -> None:
        lyrics: Lyrics | None = dropped.file.lyrics
        notes = dropped.notes
        if dropped.file.certainty is not Certainty.SURE:
            lyrics = self._dialogs.reading(dropped.file)
            notes = ()
        if lyrics is None:
            return
        self._put_example_away()
        document = self._session.document
        changed = replace(
            document,
            lyrics=lyrics.text,
            title=document.title or lyrics.title,
            style=document.style or lyrics.style,
        )
        self._session.apply(self.tr("Lyrics from {}").format(dropped.path.name), changed)
        self._tell(notes)

    def _put_example_away(self) -> None:
        if self._session.document is self._shown:
            self._session.load(SongDocument())

    def _take_score(self, dropped: DroppedScore) -> None:
        self._put_example_away()
        changed = self._session.document.with_imported_score(dropped.text, dropped.path.name)
        self._session.apply(self.tr("Score from {}").format(dropped.path.name), changed)
        self._tell(dropped.notes)

    def _take_song(self, dropped: DroppedSong) -> None:
        project = dropped.project
        if dropped.is_take and dropped.document.id == self._session.document.id:
            self._take_up(dropped)
            return
        if not self.may_replace():
            return
        if project is None:
            self._session.load(dropped.document)
        else:
            self._session.load(project.document, project.path, mark=project.mark)
            self._remembered.add_recent(project.path)
        self._tell(dropped.notes)

    def _take_up(self, dropped: DroppedSong) -> None:
        """What a take of the open song was made with: a step that can be undone, and the song keeps its file."""
        ours, made = self._session.document, dropped.document
        changed = replace(
            made,
            title=ours.title,
            notes=ours.notes,
            kept=ours.kept,
            style=ours.style if ours.sung_style == made.sung_style else made.style,
            lyrics=ours.lyrics if ours.sung_lyrics == made.sung_lyrics else made.lyrics,  # with its remarks
        )
        self._session.apply(self.tr("Song of {}").format(dropped.path.name), changed)
        self._tell(dropped.notes)

    def _tell(self, notes: tuple[str, ...]) -> None:
        if notes:
            self.told.emit(" ".join(notes))


def _read(path: Path) -> Dropped:
    """On the thread beside the window, where the readers of scores may take their time to load."""
    from yue2_desktop.intake.opening import open_dropped

    return open_dropped(path)
