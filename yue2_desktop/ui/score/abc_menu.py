"""The context menu of a score's text: repairs, the song's history, the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.repairs.offer import Repair

if TYPE_CHECKING:
    from yue2_desktop.ui.score.abc_edit import AbcEdit

#: Finds the repair of a diagnostic, None where there is none.
RepairOf = Callable[[Diagnostic], Repair | None]
_Key = QKeySequence.StandardKey
_MOST_REPAIRS = 6


def abc_menu(edit: AbcEdit, diagnostics: Sequence[Diagnostic], repair_of: RepairOf) -> QMenu:
    """The menu for a place where this is wrong."""
    translate = QCoreApplication.translate
    menu = QMenu(edit)
    for one in diagnostics[:_MOST_REPAIRS]:
        repair = repair_of(one)
        if repair is None:
            menu.addAction(one.sentence).setEnabled(False)
        else:
            menu.addAction(repair.description).triggered.connect(_asking(edit, one))
    if edit.diagnostics:
        everything = menu.addAction(translate("AbcMenu", "Repair all that is safe"))
        everything.triggered.connect(_plain(edit.repair_all_asked.emit))
        menu.addSeparator()
    chosen, can_paste = edit.textCursor().hasSelection(), edit.canPaste()
    entries: tuple[tuple[str, _Key, Callable[[], object], bool] | None, ...] = (
        (translate("AbcMenu", "Undo"), _Key.Undo, edit.undo_asked.emit, True),
        (translate("AbcMenu", "Redo"), _Key.Redo, edit.redo_asked.emit, True),
        None,
        (translate("AbcMenu", "Cut"), _Key.Cut, edit.cut, chosen),
        (translate("AbcMenu", "Copy"), _Key.Copy, edit.copy, chosen),
        (translate("AbcMenu", "Paste"), _Key.Paste, edit.paste, can_paste),
        None,
        (translate("AbcMenu", "Select all"), _Key.SelectAll, edit.selectAll, True),
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


def _asking(edit: AbcEdit, diagnostic: Diagnostic) -> Callable[[], None]:
    def ask() -> None:
        edit.repair_asked.emit(diagnostic)

    return ask


def _plain(call: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        call()

    return run
