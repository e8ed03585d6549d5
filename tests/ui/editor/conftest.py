"""An editor over an empty song, with what it offers read once, and ways to wait for what it finds out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QThreadPool
from pytestqt.qtbot import QtBot

from yue2_desktop.paths import resources
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.editor.material import Material, load_material
from yue2_desktop.ui.editor.panel import EditorPanel
from yue2_desktop.ui.session import SongSession


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
def load(panel: EditorPanel, session: SongSession, qtbot: QtBot) -> Callable[..., None]:
    """Opens a song with some fields, and waits for what is found out about it."""

    def opened(**fields: object) -> None:
        session.load(SongDocument(**fields))  # type: ignore[arg-type]
        with qtbot.waitSignal(panel._finder.found):
            panel._finder.look()

    return opened
