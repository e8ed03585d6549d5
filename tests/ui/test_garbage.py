"""Objects of Qt in cycles end in the window's thread, whichever thread allocates."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from yue2_desktop.ui.garbage import GarbageInWindow


@pytest.fixture
def garbage(qtbot: QtBot) -> Iterator[GarbageInWindow]:
    collector = GarbageInWindow()
    yield collector
    collector.let_go()


class _Cycle(QObject):
    def __init__(self, ended: list[int]) -> None:
        super().__init__()
        self.me = self
        self._ended = ended

    def __del__(self) -> None:
        self._ended.append(threading.get_ident())


def _allocate() -> None:
    for _ in range(50):
        kept = [[number] for number in range(2000)]
        del kept


def test_cycles_end_where_they_were_made(garbage: GarbageInWindow, qtbot: QtBot) -> None:
    ended: list[int] = []
    for _ in range(20):
        _Cycle(ended)
    worker = threading.Thread(target=_allocate)
    worker.start()
    worker.join()
    assert ended == []
    kept = [[number] for number in range(5000)]
    qtbot.waitUntil(lambda: len(ended) == 20)
    assert set(ended) == {threading.get_ident()}
    assert len(kept) == 5000


def test_what_came_with_a_window_is_not_looked_through_again(garbage: GarbageInWindow) -> None:
    gc.collect()
    come = [[number] for number in range(5000)]
    garbage.keep()
    before = gc.get_freeze_count()
    assert len(gc.get_objects()) < len(come)
    garbage.collect()
    assert gc.get_freeze_count() == before


def test_it_gives_the_collection_back(qtbot: QtBot) -> None:
    gc.enable()  # as it is where no test keeps it in one thread
    assert gc.isenabled()
    collector = GarbageInWindow()
    assert not gc.isenabled()
    collector.let_go()
    assert gc.isenabled()
