"""The field that says where an export goes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.takes.target_field import TargetField


def test_a_long_path_is_cut_in_its_middle_to_the_room_that_there_is(qtbot: QtBot) -> None:
    field = TargetField()
    qtbot.addWidget(field)
    field.resize(400, 40)
    field.show()
    target = Path("/music/very/far/away/" + "deep/" * 30) / "Ferry & rain.flac"
    field.show_target(target)
    label = field.findChild(QLabel)
    narrow = label.text()
    assert "…" in narrow
    assert narrow.endswith("rain.flac")
    assert label.fontMetrics().horizontalAdvance(narrow) <= label.width()
    assert (field.text, label.toolTip()) == (str(target), str(target))
    field.resize(4000, 40)
    qtbot.waitUntil(lambda: label.text() == str(target))
    with qtbot.waitSignal(field.other_wanted):
        field.other.click()
    field.show_target(None)
    assert label.text() == "No format can be written here"
