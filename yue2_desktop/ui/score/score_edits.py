"""The score of the session's document: read after each change, edited through the one history, refusals told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.editing.edit import Edit
from yue2_desktop.score.editing.keychange import key_changed_by_hand
from yue2_desktop.score.parser import Parsed, parse
from yue2_desktop.score.repairs.offer import Repair
from yue2_desktop.score.repairs.repair import repair_all_safe, repair_for
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem
from yue2_desktop.ui.session import SongSession

#: How long nothing must have been typed before the text is read, in milliseconds.
PAUSE_MS: Final = 250
#: A score to begin with: four silent bars.
BLANK: Final = (
    "X:1\nT:\nM:4/4\nL:1/32\nQ:1/4=120\n"
    'V: Vocal clef=treble name="Vocal Melody" snm="Vocal"\n'
    'V: Ins clef=treble name="Ins Melody" snm="Inst."\n'
    'K:C\n% verse\nV: Vocal\n"C"c8d8e8f8|g32|Z2|\nV: Ins\nZ4|\n'
)


class ScoreEdits(QObject):
    """`read` has what the text says now, None without a score; `refused` why an edit was not made.

    `key_typed` warns of a key that was changed by hand while the notes were not (user-reports.md, row 91).
    """

    read = Signal(object)
    refused = Signal(str)
    key_typed = Signal(object)

    def __init__(self, session: SongSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._parsed: Parsed | None = None
        self._typed = False
        self._typed_from: Parsed | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.look)
        self._told: str | None = None

    @property
    def text(self) -> str | None:
        """The score's text, None without a score."""
        score = self._session.document.score
        return score.text if score is not None else None

    @property
    def known(self) -> Parsed | None:
        """What the text said when it was last read."""
        return self._parsed

    @property
    def is_read(self) -> bool:
        """Whether the text was read since it was changed."""
        return (self._parsed.text if self._parsed is not None else None) == self.text

    def parsed(self) -> Parsed | None:
        """What the text says now, read at once where it was not yet; `read` still comes in its time."""
        text = self.text
        if text is None:
            self._parsed = None
        elif self._parsed is None or self._parsed.text != text:
            self._parsed = parse(text)
        return self._parsed

    def follow(self, document: SongDocument) -> None:
        """The song as it is now: typing is read after a pause, everything else as soon as the window was served."""
        text = document.score.text if document.score is not None else None
        if text == self._told and not self._pause.isActive():
            return
        self._pause.start(PAUSE_MS if self._typed else 0)

    def type(self, text: str, step: str, merge: str | None) -> None:
        """Takes what was typed; steps with the same `merge` become one."""
        if self._typed_from is None:
            self._typed_from = self._parsed
        self._typed = True
        self._session.apply(step, self._session.document.with_score_text(text), merge)
        self._typed = False

    def make(self, operation: Callable[[Parsed], Edit], merge: str | None = None) -> bool:
        """Makes an edit as one step of the history; where it is refused, says why. Whether the text was changed."""
        parsed = self.parsed()
        if parsed is None:
            return False
        try:
            edit = operation(parsed)
        except Problem as problem:
            self.refused.emit(problem.sentence)
            return False
        if edit.is_empty:
            self.refused.emit(edit.description)
            return False
        step = edit.description.rstrip(".")
        self._session.apply(step, self._session.document.with_score_text(edit.apply(parsed.text)), merge)
        return True

    def put(self, text: str, step: str) -> None:
        """Another text in place of the whole score."""
        self._session.apply(step, self._session.document.with_score_text(text))

    def repair_of(self, diagnostic: Diagnostic) -> Repair | None:
        """The repair of what is wrong at one place."""
        return repair_for(self._parsed, diagnostic) if self._parsed is not None else None

    @Slot(object)
    def repair(self, diagnostic: Diagnostic) -> None:
        """Mends one place."""
        found = self.repair_of(diagnostic)
        parsed = self.parsed()
        if found is None or parsed is None or diagnostic not in parsed.diagnostics:
            self.refused.emit(diagnostic.sentence)
            return
        self.make(lambda _parsed: found.edit)

    @Slot()
    def repair_all(self) -> None:
        """Mends all that can be mended without losing anything."""
        parsed = self.parsed()
        if parsed is not None and repair_all_safe(parsed).is_empty:
            words = self.tr(
                "No repair here leaves what sounds as it is; choose one at its place in the text (Alt+Enter)."
            )
            self.refused.emit(words)
        else:
            self.make(repair_all_safe)

    def stop(self) -> None:
        """No more of this, before the window goes."""
        self._pause.stop()

    @Slot()
    def look(self) -> None:
        """Reads the text at once."""
        self._pause.stop()
        before, self._typed_from = self._typed_from, None
        parsed = self.parsed()
        self._told = parsed.text if parsed is not None else None
        self.read.emit(parsed)
        if before is not None and parsed is not None and before.text != parsed.text:
            warning = key_changed_by_hand(before, parsed)
            if warning is not None:
                meant = warning.edit.apply(before.text) if warning.edit is not None else None
                self.key_typed.emit((warning.sentence, meant))
