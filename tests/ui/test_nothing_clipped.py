"""Nothing is clipped: in English and in words 40 % longer, in the smallest window and in every dialog."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.clipping import clipped
from tests.ui.desks import Answers, machine
from tests.ui.test_every_control import DIALOGS, blank, full, small
from yue2_desktop.settings import Settings
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.dialogs.seam import Unsaved

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=["english", "longer"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """The words of the program, or the same made longer."""
    spec = importlib.util.spec_from_file_location("ui_longer", ROOT / "packaging" / "ui_longer.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    translator: QTranslator = module.Longer(qapp)
    if request.param == "longer":
        qapp.installTranslator(translator)
    yield request.param
    qapp.removeTranslator(translator)


@pytest.fixture
def opened(language: str, themed: None, answers: Answers, qtbot: QtBot) -> Iterator[Desk]:
    made = compose(Settings(), dialogs=answers, read_machine=lambda folder: machine())
    made.show()
    qtbot.waitUntil(lambda: made.machine is not None and not made.background.is_busy, timeout=20_000)
    yield made
    answers.unsaved_answer = Unsaved.DISCARD
    made.window.close()
    made.window.deleteLater()
    made.deleteLater()


def test_what_is_clipped_is_found(qtbot: QtBot) -> None:
    """The measure itself: words without room, and words beyond the edge."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(200, 100)
    label, button = QLabel("some words", window), QPushButton("other words", window)
    button.move(150, 50)
    label.resize(20, label.sizeHint().height())
    window.show()
    assert len(clipped(window)) == 2
    label.adjustSize()
    button.move(0, 50)
    assert clipped(window) == []


def test_the_longer_words_are_longer(language: str) -> None:
    said = QCoreApplication.translate("Window", "Take {} of %n", None, 3)
    assert said == ("Take {} of 3" if language == "english" else "Taákeé {} oóf 3")


@pytest.mark.parametrize("state", [blank, full, small])
def test_the_window(opened: Desk, state: Callable[[Desk, QtBot], None], qtbot: QtBot) -> None:
    state(opened, qtbot)
    qtbot.wait(50)
    assert clipped(opened.window) == []


@pytest.mark.parametrize("name", DIALOGS)
def test_dialogs(name: str, language: str, themed: None, qtbot: QtBot) -> None:
    dialog = DIALOGS[name]()
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.wait(10)
    assert clipped(dialog) == []
