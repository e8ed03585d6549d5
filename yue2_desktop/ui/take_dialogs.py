"""The dialogs that the list of takes asks for: exporting a take, comparing two."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from yue2_desktop import paths
from yue2_desktop.audio.measured import measured
from yue2_desktop.library.compare import Difference, compare
from yue2_desktop.library.export import take_sound
from yue2_desktop.library.export_formats import Availability, export_formats
from yue2_desktop.library.making import making_of
from yue2_desktop.library.soundings import Soundings
from yue2_desktop.library.take_provenance import take_provenance
from yue2_desktop.library.trim import TrimOffer, trim_offer
from yue2_desktop.settings import Settings
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.provenance import Provenance
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.dialogs.seam import Dialogs
from yue2_desktop.ui.takes.compare_dialog import CompareDialog
from yue2_desktop.ui.takes.export_dialog import ExportDialog, ExportSubject

#: What a dialog of exporting needs to know: the formats, the cut that is offered, what made the take.
_Known = tuple[tuple[Availability, ...], TrimOffer | None, Provenance]
#: The names of two takes, and what differs between them.
_Compared = tuple[str, str, tuple[Difference, ...]]


class TakeDialogs(QObject):
    """Reads what a dialog needs beside the window, then opens it. `went_wrong` carries a sentence."""

    went_wrong = Signal(str)

    def __init__(self, dialogs: Dialogs, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialogs = dialogs
        self._folder = settings.output_folder
        self._first_format = "flac-24"
        self._background = Background(self)

    @Slot(str)
    def export(self, folder: str) -> None:
        """Opens the dialog that exports a take."""
        take = Path(folder)
        self._background.run(partial(_known, take), partial(self._open_export, take), self._refused)

    @Slot(str, str)
    def compare(self, first: str, second: str) -> None:
        """Shows what differs between the settings of two takes."""
        work = partial(_differences, Path(first), Path(second))
        self._background.run(work, self._open_compare, self._refused)

    @Slot(object)
    def use(self, settings: Settings) -> None:
        """Exports go beside the takes, wherever these lie from now on, until another folder is chosen."""
        self._folder = settings.output_folder

    def close(self) -> None:
        """Ends what runs."""
        self._background.close()

    def _open_export(self, take: Path, known: _Known) -> None:
        formats, trim, made = known
        title = take.name if made.song is None else made.song.title
        subject = ExportSubject(take, title, self._folder.parent, trim, made.licence)
        opened: list[ExportDialog] = []

        def make(parent: QWidget) -> QDialog:
            opened.append(ExportDialog(subject, formats, self._dialogs.folder, parent, first_format=self._first_format))
            return opened[0]

        if self._dialogs.show(make) and opened:
            self._first_format = opened[0].format_key

    def _open_compare(self, compared: _Compared) -> None:
        make: Callable[[QWidget], QDialog] = partial(CompareDialog, *compared)
        self._dialogs.show(make)

    def _refused(self, problem: Problem) -> None:
        self.went_wrong.emit(problem.sentence)


def _known(take: Path) -> _Known:
    soundings = Soundings(paths.cache_folder() / "waveforms", measured)
    made = take_provenance(take)
    return export_formats(), trim_offer(soundings.of(take_sound(take))), made


def _differences(first: Path, second: Path) -> _Compared:
    return _name_of(first), _name_of(second), compare(making_of(first), making_of(second))


def _name_of(take: Path) -> str:
    song = take_provenance(take).song
    return take.name if song is None or song.take is None else f"{song.title}, {_tr('take {}').format(song.take)}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakeDialogs", text)
