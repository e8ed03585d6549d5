"""What is done with the score as a whole: another key or tempo, sections, plans, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop.score.editing import structure
from yue2_desktop.score.editing.transpose import transpose
from yue2_desktop.score.editing.voices import make_instrumental, set_tempo, strip_chords
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.score.score_edits import BLANK, ScoreEdits
from yue2_desktop.ui.score.score_files import Fetched, ScoreFiles
from yue2_desktop.ui.session import SongSession


class ScoreCommands(QObject):
    """Each slot is one step of the history; `said` has what is to be told of it."""

    said = Signal(str)

    def __init__(self, session: SongSession, edits: ScoreEdits, files: ScoreFiles, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._edits, self._files = session, edits, files
        files.fetched.connect(self._take_fetched)

    def for_menu(self) -> dict[str, Callable[[], None]]:
        """The commands of the menu by name, those that make sense now."""
        found: dict[str, Callable[[], None]] = {
            "instrumental": self.make_instrumental,
            "strip": self.strip_chords,
            "repair": self._edits.repair_all,
            "import": self.fetch,
            "remove": self.remove,
        }
        score = self._session.document.score
        if score is not None and score.plan is not None and not score.is_unchanged_plan:
            found["revert"] = self.revert
        return found

    @Slot(int, int)
    def transpose(self, semitones: int, from_section: int) -> None:
        """Moves the song, from a section on."""
        self._edits.make(partial(transpose, semitones=semitones, from_section=from_section))

    @Slot(int)
    def set_tempo(self, tempo: int) -> None:
        """Quarter notes a minute; steps of the field become one step of the history."""
        self._edits.make(partial(set_tempo, tempo=tempo), "score:tempo")

    @Slot(int, str)
    def insert_section(self, before: int, label: str) -> None:
        """A silent section."""
        self._edits.make(partial(structure.insert_section, before=before, label=label))

    @Slot(int)
    def duplicate_section(self, index: int) -> None:
        """A section once more after itself."""
        self._edits.make(partial(structure.duplicate_section, index=index))

    @Slot(int)
    def delete_section(self, index: int) -> None:
        """A section goes."""
        self._edits.make(partial(structure.delete_section, index=index))

    @Slot()
    def make_instrumental(self) -> None:
        """The melody goes to the instrument."""
        if self._edits.make(make_instrumental):
            self.said.emit(self.tr("The Vocal is silent now; what is sung may still have a voice in it."))

    @Slot()
    def strip_chords(self) -> None:
        """All chord symbols go."""
        self._edits.make(strip_chords)

    @Slot()
    def remove(self) -> None:
        """The score goes; it comes back with undo."""
        self._edits.put("", self.tr("Remove the score"))

    @Slot()
    def revert(self) -> None:
        """Back to what the model wrote."""
        document = self._session.document
        if document.score is not None:
            back = replace(document, score=document.score.reverted())
            self._session.apply(self.tr("Back to the plan"), back)

    @Slot(object)
    def take_plan(self, plan: PlannedScore) -> None:
        """Another of the scores that the model wrote."""
        self._session.apply(self.tr("Take another plan"), self._session.document.with_plan(plan))

    @Slot()
    def begin(self) -> None:
        """A few bars to begin with."""
        self._edits.put(BLANK, self.tr("Begin a score"))

    @Slot()
    def fetch(self) -> None:
        """A score from a file."""
        self._files.fetch()

    @Slot()
    def fetch_text(self) -> None:
        """The ordinary ABC that stands in the text becomes a score of this program."""
        if self._edits.text is not None:
            self._files.fetch_text(self._edits.text)

    def export(self, suffix: str) -> None:
        """The score into a file."""
        parsed, document = self._edits.parsed(), self._session.document
        if parsed is not None:
            self._files.export(parsed, suffix, document.shown_title, document.sung_lyrics)

    @Slot(object)
    def _take_fetched(self, fetched: Fetched) -> None:
        document = self._session.document
        if fetched.source:
            document = document.with_imported_score(fetched.text, fetched.source)
        else:
            document = document.with_score_text(fetched.text)
        self._session.apply(self.tr("Import a score"), document)
        if fetched.notes:
            self.said.emit(" ".join(fetched.notes[:3]))
