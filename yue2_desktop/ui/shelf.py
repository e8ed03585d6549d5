"""The glue between the list of takes and the library: what is listed, marked, thrown away, taken up again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from yue2_desktop import paths
from yue2_desktop.library.audio_file import read_audio
from yue2_desktop.library.browsing import Query
from yue2_desktop.library.index import Library
from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.library.trash import trash_take
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.player.playable import Playable
from yue2_desktop.ui.takes.panel import TakesPanel

_INDEX = "library.sqlite3"


class Shelf(QObject):
    """The library lives on the one thread of its `Background`. `went_wrong` carries a sentence.

    `song_wanted` carries the folder of a take whose song is to be opened, `sound_wanted` a `Playable`, `place_changed`
    the seconds at which a take of the open song is, None for another one's.
    """

    went_wrong = Signal(str)
    song_wanted = Signal(object)
    sound_wanted = Signal(object)
    place_changed = Signal(object)

    def __init__(self, panel: TakesPanel, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._panel = panel
        self._root = settings.output_folder
        self._shown: dict[str, TakeSummary] = {}
        self._library: Library | None = None
        self._background = Background(self)
        self._is_closing = False
        self._song = ""
        panel.play_requested.connect(self.play)
        panel.query_changed.connect(self._ask)
        panel.star_toggled.connect(self._toggle_star)
        panel.note_changed.connect(self._note)
        panel.trash_requested.connect(self._trash)
        panel.settings_requested.connect(self._take_up)
        panel.show_in_folder_requested.connect(self._show_folder)

    @Slot()
    def look(self) -> None:
        """Looks through the folder of takes, beside the window."""
        self._panel.set_reading(True)
        self._background.run(partial(self._scan, self._panel.query), self._looked, self._refused)

    @Slot(object)
    def use(self, settings: Settings) -> None:
        """Takes lie in another folder from now on."""
        self._root = settings.output_folder
        self.look()

    @Slot(object)
    def show_song(self, document: SongDocument) -> None:
        """Another song may be open."""
        self._song = document.id
        self._panel.set_song(document.id)

    @Slot(str)
    def play(self, folder: str) -> None:
        """Asks for the sound of a take that is listed."""
        take = self._shown.get(folder)
        if take is not None and take.audio is not None:
            read = partial(read_audio, take.folder / take.audio)
            self.sound_wanted.emit(Playable(folder, take.title, read, seconds=take.seconds or 0.0))

    @Slot(str, float)
    def follow(self, key: str, seconds: float) -> None:
        """The player is at a place."""
        take = self._shown.get(key)
        is_ours = take is not None and take.song is not None and take.song.id == self._song
        self.place_changed.emit(seconds if is_ours else None)

    def close(self) -> None:
        """Ends what runs and closes the index, on the thread that opened it."""
        self._is_closing = True
        self._background.run(self._shut)
        self._background.close()

    @Slot(object)
    def _ask(self, query: Query) -> None:
        self._background.run(partial(self._answer, query), self._list, self._refused)

    @Slot(str)
    def _toggle_star(self, folder: str) -> None:
        shown = self._shown.get(folder)
        star = shown is None or not shown.star
        self._change(partial(self._mark, Path(folder), star, None))

    @Slot(str, str)
    def _note(self, folder: str, note: str) -> None:
        self._change(partial(self._mark, Path(folder), None, note))

    @Slot(str)
    def _trash(self, folder: str) -> None:
        self._change(partial(self._throw_away, Path(folder)))

    @Slot(str)
    def _take_up(self, folder: str) -> None:
        self.song_wanted.emit(Path(folder))

    @Slot(str)
    def _show_folder(self, folder: str) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(folder)):
            self.went_wrong.emit(self.tr("The folder {} cannot be shown; open it in your file manager.").format(folder))

    def _change(self, work: object) -> None:
        assert callable(work)
        self._background.run(work, None, self._refused)
        self._ask(self._panel.query)

    def _looked(self, takes: tuple[TakeSummary, ...]) -> None:
        self._panel.set_reading(False)
        self._list(takes)

    def _list(self, takes: tuple[TakeSummary, ...]) -> None:
        self._shown = {str(take.folder): take for take in takes}
        self._panel.set_takes(takes)

    def _refused(self, problem: Problem) -> None:
        self._panel.set_reading(False)
        self.went_wrong.emit(problem.sentence)

    # What follows runs beside the window, on one thread.

    def _open(self) -> Library:
        if self._library is None:
            folder = paths.data_folder()
            folder.mkdir(parents=True, exist_ok=True)
            self._library = Library.open(folder / _INDEX)
        return self._library

    def _scan(self, query: Query) -> tuple[TakeSummary, ...]:
        library = self._open()
        for _ in library.scan([self._root], cancelled=lambda: self._is_closing):
            if self._is_closing:
                break
        return library.takes(query)

    def _answer(self, query: Query) -> tuple[TakeSummary, ...]:
        return self._open().takes(query)

    def _mark(self, folder: Path, star: bool | None, note: str | None) -> None:
        self._open().mark(folder, star=star, note=note)

    def _throw_away(self, folder: Path) -> None:
        trash_take(folder, [self._root])
        self._open().forget(folder)

    def _shut(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = None
