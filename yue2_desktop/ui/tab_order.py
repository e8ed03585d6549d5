"""The order of Tab over the places of a window, for panels that come in later than what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def put_in_order(places: Sequence[QWidget]) -> None:
    """Tab goes through `places`, which lie in one window, in this order; within each the order stays as it is."""
    if not places:
        return
    order = [one for place in places for one in _takers(place)]
    for before, after in pairwise(order):
        QWidget.setTabOrder(before, after)


def _takers(place: QWidget) -> list[QWidget]:
    """What takes the keyboard in a place, as the window's chain has it."""
    found: list[QWidget] = []
    window = place.window()
    one: QWidget | None = window
    while one is not None:
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus and (one is place or place.isAncestorOf(one)):
            found.append(one)
        one = one.nextInFocusChain()
        if one is window:
            break
    return found
