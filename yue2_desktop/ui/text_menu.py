"""What every text of a song offers in its context menu: the song's history, the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from yue2_desktop.ui.song_text import SongTextEdit

_Key = QKeySequence.StandardKey


def add_text_entries(menu: QMenu, edit: SongTextEdit) -> None:
    """Undo and redo, cut, copy and paste, select all."""
    chosen, can_paste = edit.textCursor().hasSelection(), edit.canPaste()
    entries: tuple[tuple[str, _Key, Callable[[], object], bool] | None, ...] = (
        (_tr("Undo"), _Key.Undo, edit.undo_asked.emit, True),
        (_tr("Redo"), _Key.Redo, edit.redo_asked.emit, True),
        None,
        (_tr("Cut"), _Key.Cut, edit.cut, chosen),
        (_tr("Copy"), _Key.Copy, edit.copy, chosen),
        (_tr("Paste"), _Key.Paste, edit.paste, can_paste),
        None,
        (_tr("Select all"), _Key.SelectAll, edit.selectAll, True),
    )
    for entry in entries:
        if entry is None:
            menu.addSeparator()
            continue
        text, key, call, enabled = entry
        action = menu.addAction(text)
        action.setShortcut(QKeySequence(key))
        action.setEnabled(enabled)
        action.triggered.connect(without_values(call))


def without_values(call: Callable[[], object]) -> Callable[[], None]:
    """What `triggered` can be connected to, which says whether the action is checked."""

    def run() -> None:
        call()

    return run


def _tr(text: str) -> str:
    return QCoreApplication.translate("TextMenu", text)
