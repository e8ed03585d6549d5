"""The menu of the vocabulary: a category, a term, and it is in the style."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from yue2_desktop.song.style.vocabulary import Category, Vocabulary
from yue2_desktop.ui.editor.category_titles import category_titles


def style_menu(parent: QWidget, vocabulary: Vocabulary, pick: Callable[[str], None]) -> QMenu:
    """A menu with a submenu for each category, filled when it is opened."""
    menu = QMenu(parent)
    titles = category_titles()
    for category in vocabulary.categories:
        part = menu.addMenu(titles[category.id])
        part.aboutToShow.connect(partial(_fill, part, category, pick))
    return menu


def _fill(menu: QMenu, category: Category, pick: Callable[[str], None]) -> None:
    if menu.isEmpty():
        for term in category.terms:
            menu.addAction(term.text.replace("&", "&&")).triggered.connect(partial(_pick, pick, term.text))


def _pick(pick: Callable[[str], None], text: str, _checked: bool = False) -> None:
    pick(text)
