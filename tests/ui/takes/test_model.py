"""The list's model: Qt's rules, and small changes in place of resets."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tests.ui.takes.samples import job, singing, take
from yue2_desktop.queue.job import JobState
from yue2_desktop.ui.takes.model import ROW_ROLE, TakesModel
from yue2_desktop.ui.takes.rows import JobRow, Row, TakeRow


@pytest.fixture
def model(qtbot: QtBot) -> TakesModel:
    return TakesModel()


def test_any_list_becomes_any_other_without_a_reset(model: TakesModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    rng = random.Random(5)
    everything: list[Row] = [TakeRow(take(n)) for n in range(1, 7)] + [JobRow(job(n)) for n in range(4)]
    for _ in range(80):
        wanted = rng.sample(everything, rng.randrange(len(everything) + 1))
        model.set_rows(wanted)
        assert list(model.rows) == wanted
    assert resets == []


def test_what_is_selected_stays_itself_when_rows_come_and_go(model: TakesModel) -> None:
    model.set_rows([TakeRow(take(2)), TakeRow(take(1))])
    kept = QPersistentModelIndex(model.index(1))
    model.set_rows([JobRow(job(1)), TakeRow(take(3)), TakeRow(take(1)), TakeRow(take(2))])
    assert kept.data(ROW_ROLE) == TakeRow(take(1))
    model.set_rows([TakeRow(take(2))])
    assert not kept.isValid()


def test_progress_changes_one_row_and_nothing_else(model: TakesModel, qtbot: QtBot) -> None:
    model.set_rows([JobRow(job(1, JobState.RUNNING), singing(1)), TakeRow(take(1))])
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last, _roles: changed.append((first.row(), last.row())))
    model.set_rows([JobRow(job(1, JobState.RUNNING), singing(2)), TakeRow(take(1))])
    assert changed == [(0, 0)]


def test_rows_are_said_in_words(model: TakesModel) -> None:
    model.set_rows([TakeRow(take(3, star=True, note="keep"))])
    said = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("The ferry at nine, take 3, seed 43, starred, 2:38, final")
    assert said.endswith("keep")
    assert model.data(QModelIndex()) is None


def test_only_what_waits_can_be_dragged_and_a_drop_tells_where(model: TakesModel, qtbot: QtBot) -> None:
    rows = [JobRow(job(9, JobState.RUNNING)), JobRow(job(1)), JobRow(job(2)), JobRow(job(3)), TakeRow(take(1))]
    model.set_rows(rows)
    draggable = [bool(model.index(at).flags() & Qt.ItemFlag.ItemIsDragEnabled) for at in range(5)]
    assert draggable == [False, True, True, True, False]
    heard: list[tuple[int, object]] = []
    model.moved.connect(lambda job, before: heard.append((job, before)))
    dragged = model.mimeData([model.index(3)])
    for place in (0, 1, 3, 4, -1):
        assert model.dropMimeData(dragged, Qt.DropAction.MoveAction, place, 0, QModelIndex()) is False
    assert heard == [(3, 1), (3, 1), (3, None), (3, None)], "not for its own place"
    assert list(model.rows) == rows, "the queue decides"
