"""The context menu of the lyrics: fixes, the song's history, the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QMenu

from yue2_desktop.song.lyrics.outline import TagProblem
from yue2_desktop.ui.editor.fix_button import fix_text
from yue2_desktop.ui.text_menu import add_text_entries

if TYPE_CHECKING:
    from yue2_desktop.ui.editor.lyrics_edit import LyricsEdit


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
    add_text_entries(menu, edit)
    return menu


def _fixing(edit: LyricsEdit, block: QTextBlock, problem: TagProblem) -> Callable[[], None]:
    def fix() -> None:
        edit.fix(block, problem)
        edit.setFocus()

    return fix
