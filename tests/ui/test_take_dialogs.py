"""Exporting and comparing takes from the list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, song, take_of
from yue2_desktop.settings import Settings
from yue2_desktop.ui.take_dialogs import TakeDialogs
from yue2_desktop.ui.takes.compare_dialog import CompareDialog
from yue2_desktop.ui.takes.export_dialog import ExportDialog


@pytest.fixture
def takes(tmp_path: Path) -> tuple[Path, Path]:
    ferry = song(cot="off")
    folders = tmp_path / "Ferry" / "one", tmp_path / "Ferry" / "two"
    for number, folder in enumerate(folders, 1):
        take_of(ferry, folder, number)
    return folders


@pytest.fixture
def asked(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[TakeDialogs, Answers]]:
    answers = Answers()
    made = TakeDialogs(answers, Settings(output_folder=tmp_path / "takes"))
    yield made, answers
    made.close()


def test_a_take_is_offered_for_export(
    asked: tuple[TakeDialogs, Answers], takes: tuple[Path, Path], qtbot: QtBot
) -> None:
    dialogs, answers = asked
    titles: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        titles.append(dialog.title.text())

    answers.edit = look
    dialogs.export(str(takes[0]))
    qtbot.waitUntil(lambda: titles == ["Ferry"], timeout=15_000)
    assert answers.asked == ["ExportDialog"]


def test_two_takes_are_compared(asked: tuple[TakeDialogs, Answers], takes: tuple[Path, Path], qtbot: QtBot) -> None:
    dialogs, answers = asked
    rows: list[int] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, CompareDialog)
        rows.append(dialog.table.rowCount())

    answers.edit = look
    dialogs.compare(str(takes[0]), str(takes[1]))
    qtbot.waitUntil(lambda: len(rows) == 1)
    assert rows[0] >= 1, "they have other seeds"


def test_a_folder_that_is_no_take_is_told(asked: tuple[TakeDialogs, Answers], tmp_path: Path, qtbot: QtBot) -> None:
    dialogs, answers = asked
    with qtbot.waitSignal(dialogs.went_wrong) as told:
        dialogs.export(str(tmp_path / "absent"))
    assert told.args
    assert "absent" in told.args[0]
    assert answers.asked == []
