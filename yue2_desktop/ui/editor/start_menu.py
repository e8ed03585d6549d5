"""The menu of what a song can start from: example songs, and structures to fill."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.templates import Template
from yue2_desktop.ui.editor.material import Material


def start_menu(
    parent: QWidget, material: Material, example: Callable[[SongDocument], None], template: Callable[[Template], None]
) -> QMenu:
    """The menu; what is chosen goes to `example` or `template`."""
    translate = QCoreApplication.translate
    menu = QMenu(parent)
    menu.setToolTipsVisible(True)
    menu.addSection(translate("StartMenu", "Example songs"))
    for song in material.examples:
        action = menu.addAction(song.shown_title.replace("&", "&&"))
        action.setToolTip(song.style)
        action.triggered.connect(partial(_choose, example, song))
    menu.addSection(translate("StartMenu", "Structures to fill"))
    for one in material.templates:
        action = menu.addAction(one.title.replace("&", "&&"))
        action.setToolTip(one.summary)
        action.triggered.connect(partial(_choose, template, one))
    return menu


def _choose(call: Callable[..., None], thing: object, _checked: bool = False) -> None:
    call(thing)
