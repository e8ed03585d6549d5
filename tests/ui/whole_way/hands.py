"""The hands of a scripted user: finds controls by the names that a screen reader says, clicks, types, picks, drops."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.exceptions import TimeoutError as WaitedInVain
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.takes.list_view import TakesView
from yue2_desktop.ui.theme.applied import number_font

W = TypeVar("W", bound=QWidget)

#: A busy machine takes its time, most of all to import torch.
PATIENCE_MS = 180_000
#: After so long without an answer people press again: the rows may have moved under the hand.
AGAIN_MS, TRIES = 15_000, 5


class Hands:
    """Acts in one window as its user does."""

    def __init__(self, window: QWidget, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot

    def wait(self, done: Callable[[], bool]) -> None:
        """Waits until something is so, with the patience of a slow machine."""
        self.qtbot.waitUntil(done, timeout=PATIENCE_MS)

    def do_until(self, act: Callable[[], None], done: Callable[[], bool]) -> None:
        """Acts, and again where nothing comes of it for a while; at last with the patience of `wait`."""
        for _ in range(TRIES):
            act()
            with suppress(WaitedInVain):
                self.qtbot.waitUntil(done, timeout=AGAIN_MS)
                return
        self.wait(done)

    def seen(self, kind: type[W], name: str, root: QWidget | None = None) -> list[W]:
        """The controls of that kind in sight with that name, or else those whose names begin so."""
        place = root or self.window
        sight = [one for one in place.findChildren(kind) if one.isVisibleTo(place)]
        whole = [one for one in sight if one.accessibleName() == name]
        return whole or [one for one in sight if one.accessibleName().startswith(name)]

    def find(self, kind: type[W], name: str, root: QWidget | None = None) -> W:
        """The one such control, as soon as it is there and can be used."""
        self.wait(lambda: any(one.isEnabled() for one in self.seen(kind, name, root)))
        (found,) = self.seen(kind, name, root)
        return found

    def click(self, name: str, root: QWidget | None = None) -> None:
        """Presses a button, once it can be pressed."""
        self.qtbot.mouseClick(self.find(QAbstractButton, name, root), Qt.MouseButton.LeftButton)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Presses a key wherever the keyboard is."""
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        self.qtbot.keyClick(self.window.focusWidget() or self.window, key, modifiers)

    def pick(self, name: str, *words: str) -> None:
        """Opens the menu of a button and goes along the entries that begin with these words."""
        button = self.find(QAbstractButton, name)
        assert isinstance(button, (QToolButton, QPushButton))
        menu = button.menu()
        opened = [menu]
        for word in words:
            menu.popup(button.mapToGlobal(QPoint(0, button.height())))
            action = _entry(menu, word)
            inside = action.menu()
            if isinstance(inside, QMenu):
                menu = inside
                opened.append(menu)
            else:
                self.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        for one in opened:
            one.close()

    def drop(self, path: Path) -> None:
        """Drops a file on the middle of the window, on whatever takes drops there."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        middle = self.window.rect().center()
        buttons, keys, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
        entering = QDragEnterEvent(middle, copy, data, buttons, keys)
        assert QApplication.sendEvent(self.window, entering)
        assert entering.isAccepted(), "the window takes no such file"
        QApplication.sendEvent(self.window, QDropEvent(QPointF(middle), copy, data, buttons, keys))

    def press_part(self, view: TakesView, index: QModelIndex, part: str) -> None:
        """Presses a part of a row: `play` (which is the cross of a render that runs) or `star`; once the row rests."""
        held = QPersistentModelIndex(index)

        def place() -> QPoint:
            places = view.rows.places_of(view.visualRect(held), _metrics(view))
            found: QPoint = getattr(places, part).center()
            return found

        view.scrollTo(index)
        self.wait(lambda: not held.isValid() or view.rests_at(place()))
        if held.isValid():
            self.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place())

    def pick_for_row(self, view: TakesView, index: QModelIndex, word: str) -> None:
        """Opens the menu of a row by its three dots and takes an entry."""
        self.press_part(view, index, "more")
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        place = menu.actionGeometry(_entry(menu, word)).center()
        self.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)


def _metrics(view: TakesView) -> QFontMetrics:
    return QFontMetrics(number_font(view.font()))


def _entry(menu: QMenu, word: str) -> QAction:
    found = [one for one in menu.actions() if one.text().replace("&", "").startswith(word)]
    assert len(found) == 1, f"{word!r}: {[one.text() for one in menu.actions()]}"
    return found[0]
