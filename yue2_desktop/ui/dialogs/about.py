"""About the program: its version, its licence, those of what it is made of, and that of the weights."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QTabWidget, QTextEdit, QWidget

from yue2_desktop import __version__, paths
from yue2_desktop.ui.dialogs.frame import FramedDialog, quiet
from yue2_desktop.ui.theme import metrics

#: Where the weights' licence is said (user-reports.md, row 137).
WEIGHTS_LICENCE: Final = (
    "The weights of YuE2-3B are not part of this program. They are published by M-A-P under Creative Commons "
    "Attribution-NonCommercial 4.0 International (CC BY-NC 4.0).\n\n"
    "What you make with them may be shared with credit to the model, but not used commercially under that licence "
    "alone. The makers have given individual creators further permission; what holds for you is the licence file "
    "that came with your copy of the weights.\n\n"
    "https://creativecommons.org/licenses/by-nc/4.0/"
)


class AboutDialog(FramedDialog):
    """Version and licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("YuE2 Desktop"), QDialogButtonBox.StandardButton.Close, parent)
        self.setWindowTitle(self.tr("About YuE2 Desktop"))
        self.column.addWidget(
            quiet(self.tr("Version {}. Sketch songs offline: words, score, takes.").format(__version__))
        )
        tabs = QTabWidget()
        tabs.setAccessibleName(self.tr("Licences"))
        tabs.addTab(_page(WEIGHTS_LICENCE, self.tr("Licence of the weights")), self.tr("Weights"))
        tabs.addTab(_page(_text("LICENSE"), self.tr("Licence of the program")), self.tr("Program"))
        notices = _page("", self.tr("Third-party notices"))
        notices.setMarkdown(_text("THIRD_PARTY_NOTICES.md"))
        notices.moveCursor(QTextCursor.MoveOperation.Start)
        tabs.addTab(notices, self.tr("Made with"))
        self.column.addWidget(tabs, 1)
        self.resize(80 * metrics.GRID, 60 * metrics.GRID)


def _page(text: str, name: str) -> QTextEdit:
    page = QTextEdit(readOnly=True)
    page.setPlainText(text)
    page.setAccessibleName(name)
    page.setTabChangesFocus(True)
    return page


def licence_file(name: str) -> Path:
    """Where a licence lies, in an installed program and in a checkout."""
    resources = paths.resources()
    places = (resources / name, resources.parent / name, resources.parent / "packaging" / name)
    return next((place for place in places if place.is_file()), places[0])


def _text(name: str) -> str:
    try:
        return licence_file(name).read_text(encoding="utf-8")
    except OSError as error:
        return f"{name}: {error.strerror or error}"
