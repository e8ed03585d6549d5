"""The context menu of the lyrics: fixes, the song's history, the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence, QTextBlock
from PySide6.QtWidgets import QMenu

from yue2_desktop.song.lyrics.outline import TagProblem
from yue2_desktop.ui.editor.fix_button import fix_text

if TYPE_CHECKING:
    from yue2_desktop.ui.editor.lyrics_edit import LyricsEdit

_Key = QKeySequence.StandardKey


def lyrics_menu(edit: LyricsEdit, problems: Sequence[tuple[QTextBlock, TagProblem]]) -> QMenu:
    """The menu for a line with these wrong tags."""
    translate = QCoreApplication.translate
    menu = QMenu(edit)
    for block, problem in problems:
        action = menu.addAction(fix_text(problem))
        action.triggered.connect(_fixing(edit, block, problem))
    if problems:
        menu.addAction(translate("LyricsMenu", "Fix all tags")).triggered.connect(edit.fix_all_asked)
        menu.addSeparator()
    chosen, can_paste = edit.textCursor().hasSelection(), edit.canPaste()
    entries: tuple[tuple[str, _Key, Callable[[], object], bool] | None, ...] = (
        (translate("LyricsMenu", "Undo"), _Key.Undo, edit.undo_asked.emit, True),
        (translate("LyricsMenu", "Redo"), _Key.Redo, edit.redo_asked.emit, True),
        None,
        (translate("LyricsMenu", "Cut"), _Key.Cut, edit.cut, chosen),
        (translate("LyricsMenu", "Copy"), _Key.Copy, edit.copy, chosen),
        (translate("LyricsMenu", "Paste"), _Key.Paste, edit.paste, can_paste),
        None,
        (translate("LyricsMenu", "Select all"), _Key.SelectAll, edit.selectAll, True),
    )
    for entry in entries:
        if entry is None:
            menu.addSeparator()
            continue
        text, key, call, enabled = entry
        action = menu.addAction(text)
        action.setShortcut(QKeySequence(key))
        action.setEnabled(enabled)
        action.triggered.connect(_plain(call))
    return menu


def _fixing(edit: LyricsEdit, block: QTextBlock, problem: TagProblem) -> Callable[[], None]:
    def fix() -> None:
        edit.fix(block, problem)
        edit.setFocus()

    return fix


def _plain(call: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        call()

    return run
