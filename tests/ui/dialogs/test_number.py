"""A number that is asked for: taken by Enter, kept within its bounds, left alone by Esc."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QSpinBox
from pytestqt.qtbot import QtBot

from yue2_desktop.song.render_settings import MAX_STEPS
from yue2_desktop.ui.dialogs.number import NumberDialog
from yue2_desktop.ui.fit.choices import StepsButton


def test_a_number_is_typed(qtbot: QtBot) -> None:
    dialog = NumberDialog("Steps", "How many.", 32, 1, 64)
    qtbot.addWidget(dialog)
    dialog.show()
    spin = dialog.findChild(QSpinBox)
    qtbot.keyClicks(spin, "900")
    assert dialog.value <= 64
    spin.setValue(12)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert (dialog.result(), dialog.value) == (QDialog.DialogCode.Accepted, 12)


def test_other_steps(qtbot: QtBot) -> None:
    """The last entry of the menu asks; Esc changes nothing."""
    button = StepsButton()
    qtbot.addWidget(button)
    heard: list[int] = []
    button.chosen.connect(heard.append)

    def answer(key: Qt.Key, value: int) -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, NumberDialog)
        dialog.findChild(QSpinBox).setValue(value)
        qtbot.keyClick(dialog, key)

    for key, value in ((Qt.Key.Key_Escape, 5), (Qt.Key.Key_Return, MAX_STEPS + 1)):
        QTimer.singleShot(0, lambda key=key, value=value: answer(key, value))
        button.menu().actions()[-1].trigger()
    assert heard == [MAX_STEPS]
