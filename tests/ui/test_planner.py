"""The fit check beside the window: late, never stale, and never in the way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import machine, song
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.settings import Settings
from yue2_desktop.ui.plan_work import Planned
from yue2_desktop.ui.planner import PAUSE_MS, Planner
from yue2_desktop.ui.session import SongSession


class Reading:
    """Reads a machine, and can be made to wait; says from which threads."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.threads: list[int] = []

    def __call__(self, folder: Path) -> MachineFacts:
        self.threads.append(threading.get_ident())
        assert self.go.wait(10)
        return machine()


@pytest.fixture
def reading() -> Reading:
    return Reading()


@pytest.fixture
def planner(session: SongSession, reading: Reading) -> Iterator[Planner]:
    made = Planner(session, Settings(), read=reading)
    yield made
    reading.go.set()
    made.close()


def test_a_plan_comes_a_moment_after_the_last_change(
    planner: Planner, session: SongSession, reading: Reading, qtbot: QtBot
) -> None:
    heard: list[Planned] = []
    planner.planned.connect(heard.append)
    for number in range(5):
        session.apply("Typing", replace(song(), title=str(number)))
    qtbot.waitUntil(lambda: len(heard) == 1)
    assert heard[0].planning is not None
    assert heard[0].planning.plan is not None
    assert len(reading.threads) == 1
    assert reading.threads[0] != threading.get_ident()


def test_a_change_while_planning_makes_that_answer_stale(
    planner: Planner, session: SongSession, reading: Reading, qtbot: QtBot
) -> None:
    heard: list[Planned] = []
    planner.planned.connect(heard.append)
    reading.go.clear()
    session.load(song())
    planner.plan_now()
    session.apply("Quality", replace(session.document, render=replace(session.document.render, ode_steps=8)))
    planner.plan_now()
    reading.go.set()
    qtbot.waitUntil(lambda: len(heard) >= 1)
    assert [found.planning.plan.demand.ode_steps for found in heard] == [8]  # type: ignore[union-attr]


def test_a_song_that_cannot_be_asked_for_says_why(planner: Planner, session: SongSession, qtbot: QtBot) -> None:
    session.apply("Sampling", replace(song(), semantic_sampling={"temperature": -1.0}))
    with qtbot.waitSignal(planner.planned) as heard:
        planner.plan_now()
    assert heard.args[0].planning is None
    assert "temperature" in heard.args[0].reason


def test_busy_is_said_at_once(planner: Planner, session: SongSession, qtbot: QtBot) -> None:
    with qtbot.waitSignal(planner.busy, timeout=50):
        session.apply("Words", song())


def test_nothing_is_planned_while_it_is_held(
    planner: Planner, session: SongSession, reading: Reading, qtbot: QtBot
) -> None:
    """The window loads its panels first; the song that changed meanwhile is planned afterwards."""
    planner.hold()
    session.apply("Words", song())
    planner.plan_now()
    qtbot.wait(2 * PAUSE_MS)
    assert reading.threads == []
    with qtbot.waitSignal(planner.planned):
        planner.start()
    assert len(reading.threads) == 1
