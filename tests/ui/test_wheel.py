"""The wheel changes no box that one only scrolls past."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.score.samples import GOOD
from tests.ui.desks import song
from tests.ui.test_every_control import CARDS, nowhere
from yue2_desktop.settings import Settings
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.wheel import CalmWheel


def turn(over: QWidget) -> None:
    """One notch towards the user, as the system sends it to a window."""
    window = over.window()
    QTest.wheelEvent(window.windowHandle(), over.mapTo(window, over.rect().center()), QPoint(0, -120))
    QApplication.processEvents()


def states(root: QWidget) -> list[object]:
    """What is chosen in all boxes that can be changed."""
    combos = [one.currentIndex() for one in root.findChildren(QComboBox)]
    return [*combos, *(one.text() for one in root.findChildren(QAbstractSpinBox))]


def boxes(root: QWidget) -> list[QWidget]:
    found: list[QWidget] = [*root.findChildren(QComboBox), *root.findChildren(QAbstractSpinBox)]
    return [one for one in found if one.isVisibleTo(root)]


@pytest.fixture
def scrolled(qtbot: QtBot) -> QScrollArea:
    """Boxes in a column that is longer than its window."""
    inside = QWidget()
    column = QVBoxLayout(inside)
    combo = QComboBox()
    combo.addItems(["one", "two", "three"])
    for one in (combo, QSpinBox(value=5), QDoubleSpinBox(value=5.0)):
        column.addWidget(one)
    column.addSpacing(2000)
    area = QScrollArea()
    area.setWidget(inside)
    qtbot.addWidget(area)
    area.resize(300, 300)
    area.show()
    return area


def test_who_scrolls_past_changes_nothing(scrolled: QScrollArea) -> None:
    calm = CalmWheel(scrolled)
    calm.watch(scrolled)
    calm.watch(scrolled)
    scrolled.setFocus()
    before, bar = states(scrolled), scrolled.verticalScrollBar()
    for box in boxes(scrolled):
        bar.setValue(0)
        turn(box)
        assert states(scrolled) == before
        assert bar.value() > 0, "what is behind the box is scrolled"
        assert not box.hasFocus()


def test_the_box_that_has_the_keyboard_is_changed(scrolled: QScrollArea, qtbot: QtBot) -> None:
    CalmWheel(scrolled).watch(scrolled)
    scrolled.activateWindow()
    qtbot.waitUntil(scrolled.isActiveWindow)
    for box in boxes(scrolled):
        box.setFocus()
        before = states(scrolled)
        turn(box)
        assert states(scrolled) != before


def test_in_the_whole_window(desk: Desk, qtbot: QtBot) -> None:
    desk.session.load(song().with_imported_score(GOOD["01_full_twinkle"], "twinkle.abc"))
    panel = desk.window.findChild(ScorePanel)
    qtbot.waitUntil(lambda: panel.notation.sheet is not None, timeout=20_000)
    found, before, document = boxes(desk.window), states(desk.window), desk.session.document
    assert len(found) >= 5
    desk.window.top_bar.edit_title()
    for box in found:
        turn(box)
        assert states(desk.window) == before, box.accessibleName()
    assert desk.session.document is document


def test_in_a_dialog(qtbot: QtBot) -> None:
    dialog = PreferencesDialog(Settings(), CARDS, nowhere)
    qtbot.addWidget(dialog)
    dialog.show()
    before, found = states(dialog), [one for one in boxes(dialog) if not one.hasFocus()]
    assert len(found) >= 3
    for box in found:
        turn(box)
    assert states(dialog) == before
