"""Between the text of the score and the session: typing becomes steps of the history, the cursor chooses notes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from yue2_desktop.ui.score.abc_edit import AbcEdit
from yue2_desktop.ui.score.note_commands import NoteCommands
from yue2_desktop.ui.score.score_edits import ScoreEdits
from yue2_desktop.ui.session import SongSession


class Typing(QObject):
    """Listens to the text's field for as long as its parent lives."""

    def __init__(
        self, session: SongSession, edits: ScoreEdits, commands: NoteCommands, edit: AbcEdit, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._edits, self._commands, self._edit = edits, commands, edit
        edit.typed.connect(self._take_typing)
        edit.replaced.connect(self._take_text)
        edit.moved.connect(self._take_cursor)
        edit.undo_asked.connect(session.undo_stack.undo)
        edit.redo_asked.connect(session.undo_stack.redo)
        edit.repair_asked.connect(edits.repair)
        edit.repair_all_asked.connect(edits.repair_all)

    @Slot()
    def _take_typing(self) -> None:
        self._edits.type(self._edit.words(), self.tr("Type in the score"), "score:typing")

    @Slot(str)
    def _take_text(self, step: str) -> None:
        self._edits.type(self._edit.words(), step, None)

    @Slot()
    def _take_cursor(self) -> None:
        if self._edit.hasFocus() and self._edits.is_read:
            self._commands.choose_at(*self._edit.place())
