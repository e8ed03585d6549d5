"""The order of Tab over the places of a window, for panels that come in later than what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

#: A panel's property: the object name of what the keyboard begins with there. A focus proxy would change Tab's order.
KEYBOARD: Final = "keyboard"


def put_in_order(places: Sequence[QWidget]) -> None:
    """Tab goes through `places`, which lie in one window, in this order; within each the order stays as it is."""
    if not places:
        return
    walked = [one for one in chain(places[0].window()) if one.focusPolicy() != Qt.FocusPolicy.NoFocus]
    order = [one for place in places for one in walked if one is place or place.isAncestorOf(one)]
    for before, after in pairwise(order):
        QWidget.setTabOrder(before, after)


def chain(window: QWidget) -> list[QWidget]:
    """All widgets of a window in the order of Tab, whether they take the keyboard or not; the window is the first."""
    found = [window]
    one = window.nextInFocusChain()
    while one is not None and one is not window:
        found.append(one)
        one = one.nextInFocusChain()
    # To the binding each is now a child of the one before it, and would be lost with it: a chip that is taken out
    # would end the widgets behind it. This gives each back to its own parent; Qt itself sees no change.
    for each in found:
        QObject.setParent(each, each.parentWidget())
    return found
