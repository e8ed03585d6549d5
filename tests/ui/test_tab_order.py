"""Looking through the chain of Tab ties no widget's life to that of its neighbour."""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.work import calls_of
from yue2_desktop.ui.dialogs.frame import FramedDialog
from yue2_desktop.ui.tab_order import chain, put_in_order


def _place(parent: QWidget | None = None) -> tuple[QWidget, QPushButton, QPlainTextEdit]:
    place = QWidget(parent)
    chip, edit = QPushButton("chip", place), QPlainTextEdit(place)
    row = QHBoxLayout(place)
    row.addWidget(chip)
    row.addWidget(edit)
    return place, chip, edit


def test_the_chain_is_the_window_s_and_whole(qtbot: QtBot) -> None:
    place, chip, edit = _place()
    qtbot.addWidget(place)
    found = chain(place)
    assert found[0] is place
    assert set(found) == {place, *place.findChildren(QWidget)}
    assert found.index(chip) < found.index(edit)


def test_many_places_are_put_in_order_in_one_walk(qtbot: QtBot) -> None:
    """A walk for each place took 20 ms of the window's time whenever a panel came."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QHBoxLayout(window)
    places = [QWidget() for _ in range(8)]
    for place in places:
        column.addWidget(place)
        row = QHBoxLayout(place)
        for number in range(20):
            row.addWidget(QPushButton(str(number)))
    _, walk = calls_of(lambda: chain(window))
    _, order = calls_of(lambda: put_in_order(list(reversed(places))))
    assert order < 5 * walk
    buttons = [one for one in chain(window) if isinstance(one, QPushButton)]
    first = buttons.index(places[-1].findChildren(QPushButton)[0])
    expected = [one for place in reversed(places) for one in place.findChildren(QPushButton)]
    assert [*buttons[first:], *buttons[:first]] == expected


def test_a_chip_that_goes_takes_nothing_with_it(qtbot: QtBot) -> None:
    """Typing a wrong tag in a new song ended the program: the view of the words had gone with the old song's chips."""
    place, chip, edit = _place()
    qtbot.addWidget(place)
    view = edit.viewport()
    put_in_order([place])
    shiboken6.delete(chip)
    assert shiboken6.isValid(place)
    assert shiboken6.isValid(view)
    assert edit.viewport() is view


def test_nor_in_a_dialog(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    dialog = FramedDialog("Title", QDialogButtonBox.StandardButton.Close, owner)
    place, chip, edit = _place(dialog)
    dialog.column.addWidget(place)
    view = edit.viewport()
    dialog.show()
    shiboken6.delete(chip)
    assert shiboken6.isValid(view)
    assert shiboken6.isValid(dialog)
    assert dialog.parentWidget() is owner
    dialog.close()
