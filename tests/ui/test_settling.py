"""Work beside a window that has just come, one piece after another."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from pytestqt.qtbot import QtBot

from yue2_desktop.ui import settling
from yue2_desktop.ui.settling import Piece, Settling


@dataclass
class Works:
    """Pieces that are busy until they are taken out of `busy`."""

    begun: list[str] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)

    def piece(self, name: str) -> Piece:
        def begin() -> None:
            self.begun.append(name)
            self.busy.add(name)

        return Piece(begin, lambda: name in self.busy)


def test_each_is_begun_when_the_one_before_is_done(qtbot: QtBot) -> None:
    works = Works()
    whole = Settling([works.piece("score"), works.piece("plan"), works.piece("words")])
    heard: list[int] = []
    whole.settled.connect(lambda: heard.append(len(works.begun)))
    whole.begin()
    for begun in (["score"], ["score", "plan"], ["score", "plan", "words"]):
        qtbot.waitUntil(lambda begun=begun: works.begun == begun)
        qtbot.wait(50)
        assert (works.begun, heard) == (begun, [])
        works.busy.clear()
    qtbot.waitUntil(lambda: heard == [3])


def test_one_that_takes_long_keeps_nobody_waiting(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "_PATIENCE_S", 0.1)
    works = Works()
    whole = Settling([works.piece("score"), works.piece("plan")])
    whole.begin()
    qtbot.waitUntil(lambda: works.begun == ["score", "plan"])
    assert works.busy == {"score", "plan"}


def test_a_window_that_closes_begins_nothing_more(qtbot: QtBot) -> None:
    works = Works()
    whole = Settling([works.piece("score"), works.piece("plan")])
    whole.begin()
    whole.stop()
    works.busy.clear()
    qtbot.wait(50)
    assert works.begun == ["score"]
