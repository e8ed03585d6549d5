"""Questions: what Enter, Esc and each button answer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.dialogs.question import Answer, QuestionDialog
from yue2_desktop.ui.dialogs.seam import QtDialogs, Unsaved

_Role = QDialogButtonBox.ButtonRole
ANSWERS = (
    Answer("save", "Save", _Role.AcceptRole),
    Answer("discard", "Discard", _Role.DestructiveRole),
    Answer("cancel", "Cancel", _Role.RejectRole),
)


@pytest.fixture
def asked(qtbot: QtBot) -> QuestionDialog:
    dialog = QuestionDialog("Save it?", "Or it is lost.", ANSWERS, usual="save", careful="cancel")
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: one.key)
def test_a_button_answers(asked: QuestionDialog, answer: Answer, qtbot: QtBot) -> None:
    button = next(one for one in asked.findChildren(QPushButton) if one.text() == answer.text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.answer == answer.key
    assert not asked.isVisible()


def test_enter_is_the_usual_and_esc_the_careful_answer(asked: QuestionDialog, qtbot: QtBot) -> None:
    qtbot.keyClick(asked, Qt.Key.Key_Escape)
    assert (asked.answer, asked.isVisible()) == ("cancel", False)
    asked.show()
    qtbot.keyClick(asked, Qt.Key.Key_Return)
    assert (asked.answer, asked.isVisible()) == ("save", False)


def press(key: Qt.Key, qtbot: QtBot) -> None:
    """Presses a key in what opens next."""

    def pressed() -> None:
        qtbot.keyClick(QApplication.activeModalWidget(), key)

    QTimer.singleShot(0, pressed)


def test_what_the_window_asks(qtbot: QtBot) -> None:
    """Esc loses nothing and stops nothing; Enter saves, and stays with a song that is being made."""
    window = QWidget()
    qtbot.addWidget(window)
    dialogs = QtDialogs(window)
    press(Qt.Key.Key_Escape, qtbot)
    assert dialogs.unsaved("Ferry") is Unsaved.CANCEL
    press(Qt.Key.Key_Return, qtbot)
    assert dialogs.unsaved("Ferry") is Unsaved.SAVE
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        press(key, qtbot)
        assert not dialogs.leave_running()
