"""An editor over an empty song, with what it offers read once, and ways to wait for what it finds out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from yue2_desktop.paths import resources
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.editor.material import Material, load_material
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import put_on
from yue2_desktop.ui.theme.palette import LIGHT


@pytest.fixture(scope="session")
def material() -> Material:
    """The vocabulary, templates and examples of the program."""
    return load_material(resources())


@pytest.fixture
def panel(qtbot: QtBot, session: SongSession, material: Material) -> Iterator[EditorPanel]:
    """An editor that is shown, with the cursor in the lyrics."""
    made = EditorPanel(session, material)
    qtbot.addWidget(made)
    made.resize(520, 620)
    with qtbot.waitExposed(made):
        made.show()
    made.focus_lyrics()
    yield made
    made.stop()
    QThreadPool.globalInstance().waitForDone()


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[None]:
    """The theme of the window, in which measures are those that the user sees; taken off again afterwards."""
    was = qapp.palette(), qapp.styleSheet()
    put_on(qapp, LIGHT)
    yield
    qapp.setPalette(was[0])
    qapp.setStyleSheet(was[1])


@pytest.fixture
def load(panel: EditorPanel, session: SongSession, qtbot: QtBot) -> Callable[..., None]:
    """Opens a song with some fields, and waits for what is found out about it."""

    def opened(**fields: object) -> None:
        session.load(SongDocument(**fields))  # type: ignore[arg-type]
        with qtbot.waitSignal(panel._finder.found):
            panel._finder.look()

    return opened
