"""The takes in the list and the library behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import song, take_of
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.shelf import Shelf
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import TakeRow


@pytest.fixture
def ferry() -> SongDocument:
    return song(cot="off")


@pytest.fixture
def folder(tmp_path: Path, ferry: SongDocument) -> Path:
    take_of(ferry, tmp_path / "Ferry" / "one", 1)
    take_of(ferry, tmp_path / "Ferry" / "two", 2)
    return tmp_path


@pytest.fixture
def shelf(qtbot: QtBot, folder: Path, ferry: SongDocument) -> Iterator[tuple[Shelf, TakesPanel]]:
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.set_song(ferry.id)
    made = Shelf(panel, Settings(output_folder=folder))
    made.look()
    qtbot.waitUntil(lambda: len(rows(panel)) == 2)
    yield made, panel
    made.close()
    panel.stop()


def rows(panel: TakesPanel) -> list[TakeRow]:
    return [row for row in panel.model.rows if isinstance(row, TakeRow)]


def test_takes_are_listed(shelf: tuple[Shelf, TakesPanel]) -> None:
    assert {row.take.seed for row in rows(shelf[1])} == {1, 2}


def test_a_star_is_kept_in_the_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    _, panel = shelf
    first = rows(panel)[0].folder
    panel.star_toggled.emit(str(first))
    qtbot.waitUntil(lambda: [row.take.star for row in rows(panel) if row.folder == first] == [True])
    panel.star_toggled.emit(str(first))
    qtbot.waitUntil(lambda: [row.take.star for row in rows(panel) if row.folder == first] == [False])


def test_a_note_is_kept_in_the_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    _, panel = shelf
    first = rows(panel)[0].folder
    panel.note_changed.emit(str(first), "the good one")
    qtbot.waitUntil(lambda: [row.take.note for row in rows(panel) if row.folder == first] == ["the good one"])


def test_what_cannot_be_thrown_away_is_told(
    shelf: tuple[Shelf, TakesPanel], qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made, panel = shelf
    with qtbot.waitSignal(made.went_wrong):
        panel.trash_requested.emit(str(tmp_path_factory.mktemp("elsewhere")))
    assert len(rows(panel)) == 2


def test_settings_are_taken_up_from_a_take(shelf: tuple[Shelf, TakesPanel], qtbot: QtBot) -> None:
    made, panel = shelf
    with qtbot.waitSignal(made.song_wanted) as heard:
        panel.settings_requested.emit(str(rows(panel)[0].folder))
    assert heard.args == [rows(panel)[0].folder]
