"""The one place through which dialogs are opened, so that a test can answer in the user's stead."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QWidget

from yue2_desktop.song.lyrics.lyric_file import Lyrics, LyricsFile
from yue2_desktop.song.project_file import SUFFIX
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.dialogs.question import Answer, QuestionDialog
from yue2_desktop.ui.dialogs.saving import ask_where_to_save

_Role = QDialogButtonBox.ButtonRole


class Unsaved(StrEnum):
    """What is to become of a song with changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Dialogs(Protocol):
    """What the window asks its user."""

    def unsaved(self, title: str) -> Unsaved:
        """What to do with the changes of a song."""
        ...

    def leave_running(self) -> bool:
        """Whether to close although a song is being made."""
        ...

    def path_to_open(self, folder: Path) -> Path | None: ...

    def path_to_save(self, suggested: Path) -> Path | None:
        """A file for a song, with the ending of songs."""
        ...

    def folder(self, heading: str, start: Path) -> Path | None: ...

    def reading(self, file: LyricsFile) -> Lyrics | None:
        """In which encoding a file of lyrics is to be read."""
        ...

    def show(self, make: Callable[[QWidget], QDialog]) -> bool:
        """Opens a dialog of its own; whether it was accepted."""
        ...


class QtDialogs:
    """The dialogs as they are, above `parent`."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def unsaved(self, title: str) -> Unsaved:
        """See Dialogs."""
        dialog = QuestionDialog(
            _tr("Save the changes to “{}”?").format(title),
            _tr("Otherwise they are lost."),
            (
                Answer(Unsaved.SAVE, _tr("Save"), _Role.AcceptRole),
                Answer(Unsaved.DISCARD, _tr("Discard"), _Role.DestructiveRole),
                Answer(Unsaved.CANCEL, _tr("Cancel"), _Role.RejectRole),
            ),
            usual=Unsaved.SAVE,
            careful=Unsaved.CANCEL,
            parent=self._parent,
        )
        return Unsaved(_answered(dialog))

    def leave_running(self) -> bool:
        """See Dialogs."""
        dialog = QuestionDialog(
            _tr("A song is being made. Close and go on with it next time?"),
            _tr("What is finished of it is kept; it waits in the queue until the next start."),
            (
                Answer("leave", _tr("Close"), _Role.AcceptRole),
                Answer("stay", _tr("Stay"), _Role.RejectRole),
            ),
            usual="stay",
            careful="stay",
            parent=self._parent,
        )
        return _answered(dialog) == "leave"

    def path_to_open(self, folder: Path) -> Path | None:
        """See Dialogs."""
        from yue2_desktop.intake.opening import SUFFIXES  # it brings the readers of scores, which take a while

        kinds = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        filters = ";;".join((
            _tr("All that can be opened ({})").format(kinds),
            _tr("Songs ({})").format(f"*{SUFFIX}"),
            _tr("All files (*)"),
        ))
        chosen, _ = QFileDialog.getOpenFileName(self._parent, _tr("Open"), str(folder), filters)
        return Path(chosen) if chosen else None

    def path_to_save(self, suggested: Path) -> Path | None:
        """See Dialogs."""
        return ask_where_to_save(self._parent, _tr("Save the song"), suggested, _tr("Songs"), SUFFIX)

    def folder(self, heading: str, start: Path) -> Path | None:
        """See Dialogs."""
        chosen = QFileDialog.getExistingDirectory(self._parent, heading, str(start))
        return Path(chosen) if chosen else None

    def reading(self, file: LyricsFile) -> Lyrics | None:
        """See Dialogs."""
        dialog = EncodingDialog(file, self._parent)
        return dialog.chosen if dialog.exec() == QDialog.DialogCode.Accepted else None

    def show(self, make: Callable[[QWidget], QDialog]) -> bool:
        """See Dialogs."""
        dialog = make(self._parent)
        try:
            return dialog.exec() == QDialog.DialogCode.Accepted
        finally:
            dialog.deleteLater()


def _answered(dialog: QuestionDialog) -> str:
    try:
        dialog.exec()
        return dialog.answer
    finally:
        dialog.deleteLater()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dialogs", text)
