"""A score panel that is shown, with a sink that plays nothing and dialogs that answer themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.score.user import Answers, drawn, score_text
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.score.panel import ScorePanel
from yue2_desktop.ui.session import SongSession
from yue2_desktop.ui.theme.applied import put_on
from yue2_desktop.ui.theme.palette import LIGHT


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def panel(qapp: QApplication, session: SongSession, answers: Answers, qtbot) -> Iterator[ScorePanel]:
    was = qapp.palette(), qapp.styleSheet()
    put_on(qapp, LIGHT)
    made = ScorePanel(session, dialogs=answers)
    qtbot.addWidget(made)
    made.resize(640, 560)
    made.show()
    yield made
    made.stop()
    qapp.setPalette(was[0])
    qapp.setStyleSheet(was[1])


@pytest.fixture
def open_score(panel: ScorePanel, session: SongSession, qtbot) -> Callable[[str], None]:
    """Loads a score by its number and waits until it is drawn."""

    def load(number: str) -> None:
        session.load(SongDocument(title="Song", lyrics="[Verse]\nla la").with_score_text(score_text(number)))
        drawn(panel, qtbot)

    return load
