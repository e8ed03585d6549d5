"""The glue between the list of takes and the library: what is listed, marked, thrown away, taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from yue2_desktop import paths
from yue2_desktop.library.audio_file import read_audio
from yue2_desktop.library.browsing import Query
from yue2_desktop.library.index import Library
from yue2_desktop.library.numbering import highest_numbers
from yue2_desktop.library.soundings import Sounding
from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.library.trash import trash_take
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.owner_lock import make_folder
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.measuring import Measuring, Places
from yue2_desktop.ui.player.playable import Playable
from yue2_desktop.ui.sections import sections_of_take
from yue2_desktop.ui.song_plans import SongPlans
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import TakeRow
from yue2_desktop.ui.takes.words import name_of

_INDEX = "library.sqlite3"
_WAVEFORMS = "waveforms"
#: Takes that are measured one after another are shown together, in milliseconds.
_TOGETHER_MS = 150


@dataclass(frozen=True)
class _Listed:
    """What answers a query, and the plans of the song that was open when it was asked.

    `others` is how many takes there are of other songs where nothing answers. `numbers` is how far the takes of each
    song are counted, after the folders were looked through.
    """

    takes: tuple[TakeSummary, ...]
    song: str
    plans: tuple[PlannedScore, ...]
    others: int = 0
    numbers: Mapping[str, int] = field(default_factory=dict)


class Shelf(QObject):
    """The library lives on the one thread of its `Background`. `went_wrong` carries a sentence.

    `song_wanted` carries the folder of a take whose song is to be opened, `sound_wanted` a `Playable`, `place_changed`
    the seconds at which a take of the open song is, None for another one's. `plans_found` carries the scores that the
    model wrote for the open song, `sounding_found` a take's folder and its waveform, `numbers_found` the highest number
    of a take by song.
    """

    went_wrong = Signal(str)
    song_wanted = Signal(object)
    sound_wanted = Signal(object)
    place_changed = Signal(object)
    plans_found = Signal(object)
    sounding_found = Signal(str, object)
    numbers_found = Signal(object)

    def __init__(self, panel: TakesPanel, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._panel = panel
        self._roots = settings.take_folders
        self._shown: dict[str, TakeSummary] = {}
        self._library: Library | None = None
        self._plans = SongPlans()
        # What is to be played must not wait for what is looked through.
        self._background, self._opening = Background(self), Background(self)
        self._places = Places(paths.data_folder() / _INDEX, paths.cache_folder() / _WAVEFORMS)
        self._measuring = Measuring(self._places, self)
        self._measuring.found.connect(self._measured)
        self._soundings: dict[str, Sounding] = {}
        self._together = QTimer(self)
        self._together.setSingleShot(True)
        self._together.setInterval(_TOGETHER_MS)
        self._together.timeout.connect(self._list_again)
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
        """Looks through the folders of takes, beside the window."""
        self._panel.set_reading(True)
        self._background.run(partial(self._scan, self._panel.query, self._song), self._looked, self._refused)

    @Slot(object)
    def use(self, settings: Settings) -> None:
        """Takes go to another folder from now on; those of before stay in sight."""
        self._roots = settings.take_folders
        self.look()

    @Slot(object)
    def show_song(self, document: SongDocument) -> None:
        """Another song may be open."""
        if document.id == self._song:
            return
        self._song = document.id
        self._panel.set_song(document.id)
        self._ask(self._panel.query)

    @Slot(str)
    def play(self, folder: str) -> None:
        """Asks for the sound of a take that is listed."""
        take = self._shown.get(folder)
        if take is not None and take.audio is not None:
            work = partial(_playable, take, take.audio, self._soundings.get(folder))
            self._opening.run(work, self.sound_wanted.emit, self._refused)

    @Slot(str, float)
    def follow(self, key: str, seconds: float) -> None:
        """The player is at a place."""
        take = self._shown.get(key)
        is_ours = take is not None and take.song is not None and take.song.id == self._song
        self.place_changed.emit(seconds if is_ours else None)

    def close(self) -> None:
        """Ends what runs and closes the index, on the thread that opened it."""
        self._is_closing = True
        self._together.stop()
        self._measuring.close()
        self._opening.close()
        self._background.run(self._shut)
        self._background.close()

    @Slot(object)
    def _ask(self, query: Query) -> None:
        self._background.run(partial(self._answer, query, self._song), self._list, self._refused)

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

    def _looked(self, listed: _Listed) -> None:
        self._panel.set_reading(False)
        self.numbers_found.emit(listed.numbers)
        self._list(listed)

    def _list(self, listed: _Listed) -> None:
        self._shown = {str(take.folder): take for take in listed.takes}
        self._panel.set_takes(listed.takes)
        self._panel.set_others(listed.others)
        self._measuring.ask(listed.takes)
        if listed.song == self._song:
            self.plans_found.emit(listed.plans)

    @Slot(object, object)
    def _measured(self, take: TakeSummary, sounding: Sounding | None) -> None:
        folder = str(take.folder)
        if sounding is not None:
            self._soundings[folder] = sounding
            self._panel.set_soundings(self._soundings)
            self.sounding_found.emit(folder, sounding)
        shown = self._shown.get(folder)
        if shown is None:
            return
        # Nothing else of the summary: a star may have been set since it was made.
        now = replace(
            shown,
            loudness=take.loudness,
            score_errors=take.score_errors,
            unsung=take.unsung,
            damage=take.damage,
        )
        if now != shown:
            self._shown[folder] = now
            self._together.start()

    @Slot()
    def _list_again(self) -> None:
        self._panel.set_takes(self._shown.values())

    def _refused(self, problem: Problem) -> None:
        self._panel.set_reading(False)
        self.went_wrong.emit(problem.sentence)

    # What follows runs beside the window, on one thread.

    def _open(self) -> Library:
        if self._library is None:
            make_folder(self._places.index.parent)
            self._library = self._places.library()
        return self._library

    def _scan(self, query: Query, song: str) -> _Listed:
        for _ in self._open().scan(self._roots, cancelled=lambda: self._is_closing, measure=False):
            if self._is_closing:
                break
        return replace(self._answer(query, song), numbers=highest_numbers(self._open().takes()))

    def _answer(self, query: Query, song: str) -> _Listed:
        library = self._open()
        takes = library.takes(query)
        plans = self._plans.of(library.takes(Query(song=song))) if song else ()
        return _Listed(takes, song, plans, 0 if takes else len(library.takes()))

    def _mark(self, folder: Path, star: bool | None, note: str | None) -> None:
        self._open().mark(folder, star=star, note=note)

    def _throw_away(self, folder: Path) -> None:
        trash_take(folder, self._roots)
        self._open().forget(folder)

    def _shut(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = None


def _playable(take: TakeSummary, audio: str, sounding: Sounding | None) -> Playable:
    """On the thread beside the window: a long score takes its time to be read."""
    length = take.seconds or 0.0
    return Playable(
        str(take.folder),
        name_of(TakeRow(take)),
        partial(read_audio, take.folder / audio),
        seconds=length,
        sounding=sounding,
        sections=sections_of_take(take.folder, length),
    )
