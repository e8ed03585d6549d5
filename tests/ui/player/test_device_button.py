"""The menu of sound devices stays on the screen, though it is filled while it is open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.background import Background
from yue2_desktop.ui.player.device_button import DeviceButton


@pytest.fixture
def corner(qtbot: QtBot, devices: list[str]) -> Iterator[DeviceButton]:
    """A button in the lower right corner of the screen, as that of a maximised window."""
    beside = Background()
    made = DeviceButton(beside)
    qtbot.addWidget(made)
    room = QApplication.primaryScreen().availableGeometry()
    made.adjustSize()
    made.move(room.right() - made.width(), room.bottom() - made.height())
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.menu().close()
    beside.close()


@pytest.mark.parametrize(
    "found",
    [
        [],
        ["a device whose name is a good deal longer than what was there while the program looked for it"],
        [f"device number {number}" for number in range(60)],
    ],
    ids=["none", "long", "many"],
)
def test_it_stays_on_the_screen(corner: DeviceButton, devices: list[str], qtbot: QtBot, found: list[str]) -> None:
    devices[:] = found
    menu = corner.menu()
    menu.popup(corner.mapToGlobal(corner.rect().bottomRight()))
    qtbot.waitUntil(lambda: not any("Looking" in entry for entry in corner.entries))
    room = corner.screen().availableGeometry()
    qtbot.waitUntil(lambda: room.contains(menu.geometry()))
    assert menu.width() >= min(menu.sizeHint().width(), room.width())
    assert all(entry in corner.entries for entry in found)
