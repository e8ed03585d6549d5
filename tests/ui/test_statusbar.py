"""The line at the bottom: what it says at once has room in the smallest window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.clipping import clipped
from yue2_desktop.ui.statusbar import DeviceWords, StatusBar
from yue2_desktop.ui.theme.metrics import SMALLEST

_LONGEST = "writing the score, 1,204 of ~4,000 tokens, about 12 min left"


@pytest.mark.usefixtures("themed")
def test_all_of_it_has_room(qtbot: QtBot, qapp: QApplication) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_device(DeviceWords("RTX 3050 Laptop 6 GB", "5.2 GiB free"))
    bar.set_engine(_LONGEST, can_free=True)
    bar.set_test_model(in_use=True)
    bar.resize(SMALLEST[0], bar.sizeHint().height())
    bar.show()
    qapp.processEvents()
    assert clipped(bar) == []
    assert bar.minimumSizeHint().width() <= SMALLEST[0]
