"""Scores from and to files, off the window's thread; which file is asked for through one seam."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from yue2_desktop.score.parser import Parsed
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.filenames import safe_file_name
from yue2_desktop.ui.dialogs.saving import ask_where_to_save
from yue2_desktop.ui.latest import Latest


class ScoreFileDialogs(Protocol):
    """What is asked of the user about files; a test answers in their stead."""

    def path_to_export(self, suggested: str, suffix: str) -> Path | None: ...

    def path_to_import(self) -> Path | None: ...


class QtScoreFileDialogs:
    """The system's dialogs, above `parent`."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        #: Where the last score went; at first where people keep what they write.
        self._folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))

    def path_to_export(self, suggested: str, suffix: str) -> Path | None:
        """See ScoreFileDialogs."""
        name = self._folder / f"{suggested}{suffix}"
        chosen = ask_where_to_save(self._parent, _tr("Export the score"), name, _tr("Scores"), suffix)
        if chosen is not None:
            self._folder = chosen.parent
        return chosen

    def path_to_import(self) -> Path | None:
        """See ScoreFileDialogs."""
        from yue2_desktop.intake.score_file import SCORE_SUFFIXES  # the readers of scores take a while to load

        kinds = " ".join(f"*{suffix}" for suffix in SCORE_SUFFIXES)
        chosen, _ = QFileDialog.getOpenFileName(
            self._parent, _tr("Import a score"), "", _tr("Scores ({})").format(kinds)
        )
        return Path(chosen) if chosen else None


@dataclass(frozen=True)
class Fetched:
    """A score that was imported: its text, the name of its file, and what of it was changed."""

    text: str
    source: str
    notes: tuple[str, ...]


class ScoreFiles(QObject):
    """`fetched` has a `Fetched`, `written` a sentence, `failed` a sentence."""

    fetched = Signal(object)
    written = Signal(str)
    failed = Signal(str)

    def __init__(self, dialogs: ScoreFileDialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialogs = dialogs
        self._work = Latest(self)
        self._work.arrived.connect(self._take)
        self._work.failed.connect(self.failed)

    def export(self, parsed: Parsed, suffix: str, title: str, lyrics: str) -> None:
        """Asks where to, and writes the score there."""
        path = self._dialogs.path_to_export(safe_file_name(title), suffix)
        if path is not None:
            self._work.ask(lambda: _exported(parsed, path, title, lyrics))

    def fetch(self, path: Path | None = None) -> None:
        """Imports a file, asked for where `path` is None."""
        chosen = path or self._dialogs.path_to_import()
        if chosen is not None:
            self._work.ask(lambda: _fetched(chosen))

    def fetch_text(self, text: str) -> None:
        """Imports ordinary ABC that was typed or pasted."""
        self._work.ask(lambda: _fetched_text(text))

    def stop(self) -> None:
        """No more of this, before the window goes."""
        self._work.stop()

    @Slot(object)
    def _take(self, result: object) -> None:
        if isinstance(result, Fetched):
            self.fetched.emit(result)
        elif isinstance(result, Problem):
            self.failed.emit(result.sentence)
        elif isinstance(result, str):
            self.written.emit(result)


def _exported(parsed: Parsed, path: Path, title: str, lyrics: str) -> str | Problem:
    from yue2_desktop.score.export.files import export_file

    try:
        names = export_file(parsed, path, title=title, lyrics=lyrics)
    except Problem as problem:
        return problem
    if len(names) == 1:
        return _tr("Written to {name}.").format(name=names[0].name)
    return _tr("Written to {first} up to {last}.").format(first=names[0].name, last=names[-1].name)


def _fetched(path: Path) -> Fetched | Problem:
    from yue2_desktop.intake.score_file import read_score_file

    try:
        found = read_score_file(path)
    except Problem as problem:
        return problem
    return Fetched(found.text, path.name, tuple(found.notes))


def _fetched_text(text: str) -> Fetched | Problem:
    from yue2_desktop.score.importing.abc import import_abc

    try:
        found = import_abc(text)
    except Problem as problem:
        return problem
    return Fetched(found.text, "", found.changes)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ScoreFiles", text)
