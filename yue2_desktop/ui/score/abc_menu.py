"""The context menu of a score's text: repairs, the song's history, the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from yue2_desktop.score.diagnostics import Diagnostic
from yue2_desktop.score.repairs.offer import Repair
from yue2_desktop.ui.text_menu import add_text_entries, without_values

if TYPE_CHECKING:
    from yue2_desktop.ui.score.abc_edit import AbcEdit

#: Finds the repair of a diagnostic, None where there is none.
RepairOf = Callable[[Diagnostic], Repair | None]
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
        everything.triggered.connect(without_values(edit.repair_all_asked.emit))
        menu.addSeparator()
    add_text_entries(menu, edit)
    return menu


def _asking(edit: AbcEdit, diagnostic: Diagnostic) -> Callable[[], None]:
    def ask() -> None:
        edit.repair_asked.emit(diagnostic)

    return ask
