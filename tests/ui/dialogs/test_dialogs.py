"""The dialogs: named, reached by keys, and true to what they were given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QTextEdit,
)
from pytestqt.qtbot import QtBot

from tests.ui.walking import nameless, out_of_reach
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.settings import Settings
from yue2_desktop.song.lyrics.lyric_file import lyrics_from
from yue2_desktop.ui.dialogs.about import AboutDialog, licence_file
from yue2_desktop.ui.dialogs.encoding import EncodingDialog
from yue2_desktop.ui.dialogs.log_viewer import LogDialog
from yue2_desktop.ui.dialogs.preferences import PreferencesDialog

CARDS = (replace(parse_pretend("6GB"), uuid="GPU-6"), replace(parse_pretend("8GB"), uuid="GPU-8"))
GBK = lyrics_from("[Verse]\n夏天的风吹过我们的城市\n".encode("gbk"), Path("words.txt"))


def no_folder(heading: str, start: Path) -> None:
    """The user thinks better of it."""


MAKERS: dict[str, Callable[[], QDialog]] = {
    "preferences": lambda: PreferencesDialog(Settings(), CARDS, no_folder),
    "about": AboutDialog,
    "log": lambda: LogDialog("a line\n", "where it lies", lambda: "report"),
    "encoding": lambda: EncodingDialog(GBK),
}


@pytest.mark.parametrize("name", MAKERS)
def test_controls_are_named_and_reached(name: str, qtbot: QtBot) -> None:
    dialog = MAKERS[name]()
    qtbot.addWidget(dialog)
    dialog.show()
    assert nameless(dialog) == []
    # Of the pages behind tabs only the one in front is shown; the tabs themselves are gone through by arrows.
    assert out_of_reach(dialog) == []


def test_preferences_that_are_left_alone(qtbot: QtBot) -> None:
    settings = Settings(threads=3, gpu="GPU-8", theme="dark")
    dialog = PreferencesDialog(settings, CARDS, no_folder)
    qtbot.addWidget(dialog)
    assert dialog.settings == settings


def test_preferences_that_are_changed(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = PreferencesDialog(Settings(), CARDS, lambda heading, start: tmp_path)
    qtbot.addWidget(dialog)
    dialog.findChild(QSpinBox).setValue(4)
    boxes = {box.accessibleName(): box for box in dialog.findChildren(QComboBox)}
    boxes["Graphics card"].setCurrentIndex(2)
    boxes["Colours"].setCurrentIndex(1)
    next(one for one in dialog.findChildren(QPushButton) if one.accessibleName() == "Choose: Models folder").click()
    found = dialog.settings
    assert (found.threads, found.gpu, found.theme, found.models_folder) == (4, "GPU-8", "light", tmp_path)


def test_with_one_card_there_is_no_choice(qtbot: QtBot) -> None:
    """Row 35: the choice appears with two cards."""
    dialog = PreferencesDialog(Settings(gpu="GPU-gone"), CARDS[:1], no_folder)
    qtbot.addWidget(dialog)
    assert "Graphics card" not in [box.accessibleName() for box in dialog.findChildren(QComboBox)]
    assert dialog.settings.gpu == "GPU-gone"


def test_a_path_that_is_none_is_not_taken(qtbot: QtBot) -> None:
    dialog = PreferencesDialog(Settings(), (), no_folder)
    qtbot.addWidget(dialog)
    dialog.findChildren(QLineEdit)[0].setText("models")
    assert dialog.settings == Settings()


def test_about_has_the_weights_licence_first(qtbot: QtBot) -> None:
    """Row 137."""
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    texts = [page.toPlainText() for page in dialog.findChildren(QTextEdit)]
    assert "CC BY-NC 4.0" in texts[0]
    assert dialog.findChild(QTabWidget).currentIndex() == 0
    assert any("Apache License" in text for text in texts)
    assert any("Third-party notices" in text for text in texts)
    assert licence_file("LICENSE").is_file()


def test_the_reading_that_looks_right_is_taken(qtbot: QtBot) -> None:
    dialog = EncodingDialog(GBK)
    qtbot.addWidget(dialog)
    assert dialog.chosen == GBK.lyrics
    listed = dialog.findChild(QPlainTextEdit)
    assert "夏天" in listed.toPlainText()
    from PySide6.QtWidgets import QListWidget

    dialog.findChild(QListWidget).setCurrentRow(1)
    assert dialog.chosen == GBK.choices[1]
    assert "夏天" not in listed.toPlainText()


def test_diagnostics_are_copied(qtbot: QtBot) -> None:
    dialog = LogDialog("", "nowhere", lambda: "the report")
    qtbot.addWidget(dialog)
    next(one for one in dialog.findChildren(QPushButton) if "diagnostics" in one.text()).click()
    assert QGuiApplication.clipboard().text() == "the report"
    assert "Nothing was logged" in dialog.findChild(QPlainTextEdit).toPlainText()
