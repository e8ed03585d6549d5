"""The line above the list: it says that the queue is paused, with a way to let it go on, in any width."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.ui.clipping import clipped
from yue2_desktop.ui.takes.header import TakesHeader
from yue2_desktop.ui.theme.metrics import SMALLEST


@pytest.fixture
def header(qtbot: QtBot) -> TakesHeader:
    made = TakesHeader()
    qtbot.addWidget(made)
    made.resize(SMALLEST[0], made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    return made


def said(header: TakesHeader) -> list[str]:
    return [one.text() for one in header.findChildren(QLabel) if one.isVisible() and one.text()]


def test_a_queue_that_goes_on_is_not_spoken_of(header: TakesHeader) -> None:
    assert said(header) == ["Takes and queue"]
    assert not header.go_on.isVisible()


@pytest.mark.usefixtures("themed")
def test_a_pause_is_seen_and_ended_where_it_is_seen(header: TakesHeader, qtbot: QtBot, qapp: QApplication) -> None:
    header.count.setText("1,204 takes")
    header.set_paused(True)
    qapp.processEvents()
    assert "The queue is paused" in said(header)
    assert header.go_on.accessibleName() == "Let the queue go on"
    assert clipped(header) == []
    with qtbot.waitSignal(header.go_on_wanted):
        qtbot.mouseClick(header.go_on, Qt.MouseButton.LeftButton)


def test_the_keyboard_is_not_lost_with_the_button(header: TakesHeader, qapp: QApplication) -> None:
    header.set_paused(True)
    header.activateWindow()
    header.go_on.setFocus()
    assert header.focusWidget() is header.go_on
    header.set_paused(False)
    assert header.focusWidget() is header.scope
    assert "The queue is paused" not in said(header)


def test_escape_ends_a_search(header: TakesHeader, qtbot: QtBot) -> None:
    qtbot.keyClicks(header.search, "rain")
    assert header.query.text == "rain"
    with qtbot.waitSignal(header.changed):
        qtbot.keyClick(header.search, Qt.Key.Key_Escape)
    assert header.query.text == ""
