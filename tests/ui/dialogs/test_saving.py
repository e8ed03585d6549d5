"""Where a file is saved: no file is replaced without a question, whatever of its ending was typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.dialogs.question import QuestionDialog
from yue2_desktop.ui.dialogs.saving import ask_where_to_save, completed


class Typist:
    """Types a name, then answers what is asked: `keys` are pressed in the questions that come, in order."""

    def __init__(self, qtbot: QtBot, name: str, *keys: Qt.Key) -> None:
        self._qtbot = qtbot
        self._name = name
        self._keys = list(keys)
        self.asked: list[str] = []
        self._timer = QTimer(interval=20)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        shown = QApplication.activeModalWidget()
        if isinstance(shown, QFileDialog) and self._name:
            field = shown.findChild(QLineEdit, "fileNameEdit")
            field.setText(self._name)
            self._name = ""
            self._press(field, Qt.Key.Key_Return)
        elif isinstance(shown, QMessageBox | QuestionDialog) and self._keys:
            self.asked.append(shown.text() if isinstance(shown, QMessageBox) else shown.accessibleName())
            self._press(shown, self._keys.pop(0))
        elif isinstance(shown, QFileDialog) and not self._keys:
            self._timer.stop()
            shown.reject()

    def _press(self, shown: QWidget, key: Qt.Key) -> None:
        """Apart from the timer, which does not fire while one of its calls has a dialog open."""
        QTimer.singleShot(0, lambda: self._qtbot.keyClick(shown, key))


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


def _ask(window: QWidget, folder: Path) -> Path | None:
    return ask_where_to_save(window, "Save the song", folder / "ferry.yue2song", "Songs", ".yue2song")


@pytest.mark.parametrize("name", ["other", "other.yue2song", "Other.YUE2SONG"])
def test_a_new_name_is_taken_with_its_ending(window: QWidget, tmp_path: Path, qtbot: QtBot, name: str) -> None:
    typist = Typist(qtbot, name)
    found = _ask(window, tmp_path)
    assert found == tmp_path / (name if "." in name else f"{name}.yue2song")
    assert typist.asked == []


@pytest.mark.parametrize("name", ["short", "short.yue2song"])
def test_a_file_that_is_there_is_asked_about(window: QWidget, tmp_path: Path, qtbot: QtBot, name: str) -> None:
    """The ending was put on after the question, once, and the file of that name was replaced unasked."""
    there = tmp_path / "short.yue2song"
    there.write_text("another song", encoding="utf-8")
    typist = Typist(qtbot, name, Qt.Key.Key_Escape)
    assert _ask(window, tmp_path) is None
    assert len(typist.asked) == 1
    assert "short.yue2song" in typist.asked[0]


def test_a_name_with_another_ending_is_completed_and_asked_about(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "v1.2.yue2song").write_text("another song", encoding="utf-8")
    typist = Typist(qtbot, "v1.2", Qt.Key.Key_Escape)
    assert _ask(window, tmp_path) is None
    assert len(typist.asked) == 1


def test_the_answer_decides(tmp_path: Path) -> None:
    there = tmp_path / "v1.2.mid"
    there.write_bytes(b"notes")
    asked: list[Path] = []

    def answer(yes: bool) -> bool:
        return yes

    for yes in (True, False):
        found = completed(tmp_path / "v1.2", ".mid", lambda path, yes=yes: asked.append(path) is None and answer(yes))
        assert found == (there if yes else None)
    assert asked == [there, there]
    assert completed(tmp_path / "new", ".mid", lambda _: False) == tmp_path / "new.mid"
    assert completed(there, ".mid", lambda _: False) == there  # the system has asked
