"""The takes in the list and the library behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import song
from yue2_desktop.library.record import MadeWith, StageNote
from yue2_desktop.library.take_writer import TakeWriter
from yue2_desktop.settings import Settings
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import render_order
from yue2_desktop.song.stages import ScorePlan, SemanticTokens
from yue2_desktop.ui.shelf import Shelf
from yue2_desktop.ui.takes.panel import TakesPanel
from yue2_desktop.ui.takes.rows import TakeRow


def take_of(document: SongDocument, folder: Path, seed: int) -> Path:
    """A finished take, as a render writes it."""
    order = render_order(document, seed)
    (request,) = order.requests
    writer = TakeWriter.create(
        folder,
        request=request,
        config={
            "abc": order.abc.to_json(),
            "semantic": order.semantic.to_json(),
            "ode_steps": order.render.ode_steps,
            "ode_method": order.render.ode_method,
            "vae_core_frames": order.render.vae_core,
        },
        weights={"mot": "ab" * 32},
        made_with=MadeWith("0.1.0", (), "CC BY-NC 4.0", "CPU", "float32"),
        song=SongOfTake(document.id, document.title, 1),
        seeds=None,
    )
    plan = ScorePlan(request, (), None, (151_643, 9, 151_851), False, False)
    writer.plan(plan, StageNote(1.0))
    writer.semantic(SemanticTokens(plan, (1, 2, 3), truncated=False), StageNote(1.0))
    writer.latents(np.zeros((3, 64), np.float32), StageNote(1.0))
    writer.audio(np.full((5760, 2), 0.1, np.float32), StageNote(1.0))
    writer.finish()
    return folder


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
