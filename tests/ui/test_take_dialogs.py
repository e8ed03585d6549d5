"""Exporting and comparing takes from the list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mutagen
import numpy as np
import pytest
from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, song, take_of
from yue2_desktop.intake.sound_tags import provenance_of
from yue2_desktop.library.export_formats import Availability, export_formats
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


@pytest.mark.parametrize("found", export_formats(), ids=lambda found: found.format.key)
def test_a_take_leaves_in_every_format_with_its_tags_and_its_length(
    asked: tuple[TakeDialogs, Answers], qtbot: QtBot, tmp_path: Path, found: Availability
) -> None:
    """From the list to the file, which is read back by another program's library."""
    if not found.available:
        pytest.skip(str(found.reason))
    ferry = song(cot="off", title="Ferry 나루")
    rng = np.random.default_rng(7)
    take = take_of(ferry, tmp_path / "Ferry" / "one", 41, sound=rng.uniform(-0.4, 0.4, (72_000, 2)).astype(np.float32))
    dialogs, answers = asked
    dialogs.use(Settings(output_folder=tmp_path / "out" / "takes"))
    (tmp_path / "out").mkdir()
    dialogs._first_format = found.format.key
    said: list[str] = []
    made: list[Path] = []

    def go_on(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        said.extend(label.text() for label in dialog.findChildren(QLabel))
        dialog.begin()
        qtbot.waitUntil(lambda: dialog.exported is not None, timeout=30_000)
        assert dialog.exported is not None
        made.append(dialog.exported.path)

    answers.edit = go_on
    dialogs.export(str(take))
    qtbot.waitUntil(lambda: bool(made), timeout=60_000)
    assert any("CC BY-NC 4.0" in text for text in said), "the licence is said before anything is exported"
    (file,) = made
    assert (file.parent, file.suffix) == (tmp_path / "out", found.format.suffix)
    read = mutagen.File(file)
    assert read.info.length == pytest.approx(1.5, abs=0.001)
    id3 = "TIT2" in read.tags
    names = ("TIT2", "USLT::XXX", "COMM::XXX", "TXXX:LICENSE") if id3 else ("TITLE", "LYRICS", "COMMENT", "LICENSE")
    title, lyrics, comment, licence = (str(read.tags[name] if id3 else read.tags[name][0]) for name in names)
    assert (title, lyrics) == ("Ferry 나루", "[Verse]\nThe ferry leaves at nine")
    assert "seed 41" in comment
    assert licence == "CC BY-NC 4.0"
    made_from = provenance_of(file)
    assert made_from is not None
    assert (made_from.request.seed, made_from.request.style) == (41, ferry.sung_style)
