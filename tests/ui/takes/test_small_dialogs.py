"""The dialogs that ask and those that show: their words, their default, their names."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTableWidget
from pytestqt.qtbot import QtBot

from yue2_desktop.library.compare import Difference
from yue2_desktop.ui.takes.compare_dialog import CompareDialog
from yue2_desktop.ui.takes.questions import NoteDialog, TrashDialog


def test_enter_keeps_the_take(qtbot: QtBot) -> None:
    """Row 113: moving to the bin needs an answer of its own."""
    dialog = TrashDialog(("Ferry, take 1",))
    qtbot.addWidget(dialog)
    assert dialog.windowTitle() == "Move this take to the bin?"
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()
    defaults = [button.text() for button in dialog.buttons.buttons() if button.isDefault()]
    assert len(defaults) == 1
    many = TrashDialog(tuple(f"Ferry, take {number}" for number in range(1, 9)))
    qtbot.addWidget(many)
    assert many.windowTitle() == "Move 8 takes to the bin?"
    listed = max((label.text() for label in many.findChildren(QLabel)), key=lambda text: text.count("\n"))
    assert listed.endswith("…")


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot) -> None:
    """Whoever goes to the other button by Tab has decided."""
    for key, wanted in ((None, QDialog.DialogCode.Rejected), (Qt.Key.Key_Tab, QDialog.DialogCode.Accepted)):
        dialog = TrashDialog(("Ferry, take 1",))
        qtbot.addWidget(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        if key is not None:
            while dialog.focusWidget().text() != "Move to the bin":
                QTest.keyClick(dialog.focusWidget(), key)
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
        assert (dialog.isHidden(), dialog.result()) == (True, wanted)


def test_a_note_is_trimmed_and_tab_leaves_it(qtbot: QtBot) -> None:
    dialog = NoteDialog("Ferry, take 1", "before")
    qtbot.addWidget(dialog)
    dialog.edit.setPlainText("  good \n")
    assert dialog.note == "good"
    assert dialog.edit.tabChangesFocus()
    assert dialog.edit.accessibleName()


def test_differences_stand_side_by_side(qtbot: QtBot) -> None:
    dialog = CompareDialog("take 1", "take 2", [Difference("seed", "41", "42"), Difference("steps", "8", "32")])
    qtbot.addWidget(dialog)
    table = dialog.findChild(QTableWidget)
    assert [[table.item(row, column).text() for column in range(3)] for row in range(2)] == [
        ["seed", "41", "42"],
        ["steps", "8", "32"],
    ]
    assert "take 1" in table.accessibleName()
    alike = CompareDialog("take 1", "take 2", [])
    qtbot.addWidget(alike)
    assert alike.findChild(QTableWidget) is None
    assert any("alike" in label.text() for label in alike.findChildren(QLabel))
