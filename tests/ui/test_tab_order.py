"""Looking through the chain of Tab ties no widget's life to that of its neighbour."""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

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
