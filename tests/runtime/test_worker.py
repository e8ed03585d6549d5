"""The worker with scripted engines: its states, cancels, crashes, and that closing leaves no thread behind."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from tests.pace import pace
from tests.runtime.conftest import Bench, Fakes
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.fake_engine import STAGES, Script
from yue2_desktop.runtime.outcome import Ending

ORDER = {"folder": "somewhere", "part": "take"}


def test_a_take_is_told_from_beginning_to_end(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    one = bench(Script(steps=2, facts={"ram": 1}, plan="INT4, parked"))
    one.worker.read_facts()
    one.worker.make(5, ORDER)
    qtbot.waitUntil(lambda: ("made", 5, "somewhere") in one.told.said)
    told = [said for said in one.told.said if said[0] in {"progress", "stage", "made"}]
    expected: list[tuple[object, ...]] = []
    for stage in STAGES:
        expected += [("progress", 5, stage, 1), ("progress", 5, stage, 2), ("stage", 5, stage)]
    assert told == [*expected, ("made", 5, "somewhere")]
    assert ("plan", 5, "INT4, parked") in one.told.said
    assert ("facts", {"ram": 1}) in one.told.said
    assert one.told.states == [EngineState.STARTING, EngineState.READY, EngineState.BUSY, EngineState.READY]
    # Slots run in the thread of the window, never in the worker's (qt-and-packaging, trap 4).
    assert one.told.threads == {QCoreApplication.instance().thread()}  # type: ignore[union-attr]
    one.worker.free_memory()
    qtbot.waitUntil(lambda: ("freed",) in one.told.said)


@pytest.mark.parametrize("stage", STAGES)
def test_a_cancel_is_taken_at_once_and_the_next_job_waits_for_it(
    bench: Callable[..., Bench], qtbot: QtBot, stage: str
) -> None:
    """user-reports.md, rows 101 and 103: the sign within 200 ms; a job 100 ms later waits and runs, on one engine."""
    one = bench(Script(hold_at=stage))
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: ("progress", 1, stage, 0) in one.told.said)
    start = time.monotonic()
    one.worker.cancel(1)
    qtbot.waitUntil(lambda: EngineState.STOPPING in one.told.states)
    assert time.monotonic() - start < 0.2 * pace()
    qtbot.wait(100)
    one.worker.make(2, ORDER)
    one.fakes.made[0].released.set()
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    assert [said[1:3] for said in one.told.said if said[0] == "failed"] == [(1, "cancelled")]
    assert len(one.fakes.made) == 1


def test_a_job_waits_while_another_is_stopped_by_force(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    """An engine that does not obey is ended, the job counts as cancelled, and the next runs on a new engine."""
    one = bench(Script(hold_at="acoustic", obeys=False, patience_s=0.3), Script())
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: ("progress", 1, "acoustic", 0) in one.told.said)
    one.worker.cancel(1)
    qtbot.wait(100)
    one.worker.make(2, ORDER)
    assert ("made", 2, "somewhere") not in one.told.said
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    assert ("ended", Ending.KILLED) in one.told.said
    failed = next(said for said in one.told.said if said[0] == "failed")
    assert failed[1:3] == (1, "cancelled")
    assert ("noted", "info", "The engine is started again.") in one.told.said


def test_a_job_that_waits_is_cancelled_before_it_begins(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    one = bench(Script(hold_at="starting"))
    one.worker.make(1, ORDER)
    one.worker.make(2, ORDER)
    one.worker.cancel(1)
    one.worker.cancel(77)
    qtbot.waitUntil(lambda: ("failed", 1, "cancelled", "Cancelled before it began.") in one.told.said)
    one.fakes.made[0].released.set()
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    assert "made" not in [said[0] for said in one.told.said if said[1:2] == (1,)]


def test_a_crash_interrupts_the_job_and_the_next_one_gets_a_new_engine(
    bench: Callable[..., Bench], qtbot: QtBot
) -> None:
    one = bench(Script(crash_at="semantic"), Script())
    one.worker.make(1, ORDER)
    one.worker.make(2, ORDER)
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    interrupted = next(said for said in one.told.said if said[0] == "interrupted")
    assert interrupted[1:] == (1, "engine-died", "The engine ended unexpectedly (SIGSEGV).")
    assert one.told.said.index(("ended", Ending.CRASHED)) < one.told.said.index(("made", 2, "somewhere"))
    assert len(one.fakes.made) == 2


def test_an_engine_that_does_not_come_up_is_not_started_for_ever(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    one = bench(Script(crash_at="starting"), Script())
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: "failed" in one.told.kinds())
    assert next(said for said in one.told.said if said[0] == "failed")[1:3] == (1, "engine-died")
    qtbot.wait(50)
    assert len(one.fakes.made) == 1
    assert one.worker.state is EngineState.DEAD
    one.worker.make(2, ORDER)
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)


def test_an_engine_of_another_release_is_refused_before_anything_waits(
    bench: Callable[..., Bench], qtbot: QtBot
) -> None:
    """user-reports.md, row 139."""
    one = bench(Script(protocol=99))
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: "ended" in one.told.kinds())
    assert next(said for said in one.told.said if said[0] == "failed")[1:3] == (1, "engine-died")
    assert "same release" in str(next(said for said in one.told.said if said[0] == "noted")[2])
    assert "ready" not in one.told.kinds()


def test_a_lost_card_gives_a_new_engine_and_an_interrupted_job(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    """user-reports.md, row 40."""
    one = bench(Script(fail_with=("device-lost", "The card is gone.")), Script())
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: ("interrupted", 1, "device-lost", "The card is gone.") in one.told.said)
    one.worker.make(2, ORDER)
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    assert len(one.fakes.made) == 2


def test_another_card_restarts_the_engine(bench: Callable[..., Bench], qtbot: QtBot) -> None:
    """user-reports.md, row 34."""
    one = bench(Script(hold_at="decode"))
    one.worker.make(1, ORDER)
    qtbot.waitUntil(lambda: ("progress", 1, "decode", 0) in one.told.said)
    other = Fakes([Script()])
    one.worker.restart(other)
    one.worker.make(2, ORDER)
    qtbot.waitUntil(lambda: ("made", 2, "somewhere") in one.told.said)
    assert ("interrupted", 1) in one.told.said  # nobody's fault, and nothing to complain of
    assert (len(one.fakes.made), len(other.made)) == (1, 1)


@pytest.mark.parametrize("held", ["idle", "starting", "ready", *STAGES, "stopping", "dead"])
def test_twenty_closings_in_each_state_leave_nothing(bench: Callable[..., Bench], qtbot: QtBot, held: str) -> None:
    """user-reports.md, rows 106 and 107: the fixture looks for threads; Qt's warnings fail the test."""
    for number in range(20):
        script = {
            "starting": Script(hold_at="starting"),
            "dead": Script(crash_at="score"),
            "stopping": Script(hold_at="acoustic", obeys=False, patience_s=0.05),
        }.get(held, Script(hold_at=held if held in STAGES else None))
        one = bench(script)
        if held in {"starting", "ready"}:
            one.worker.start()
            wanted = EngineState(held)
            qtbot.waitUntil(lambda one=one, wanted=wanted: one.told.states[-1:] == [wanted])
        elif held == "dead":
            one.worker.make(1, ORDER)
            qtbot.waitUntil(lambda one=one: one.told.states[-1:] == [EngineState.DEAD])
        elif held != "idle":
            stage = "acoustic" if held == "stopping" else held
            one.worker.make(1, ORDER)
            qtbot.waitUntil(lambda one=one, stage=stage: ("progress", 1, stage, 0) in one.told.said)
            if held == "stopping":
                one.worker.cancel(1)
            if number % 2:
                one.worker.make(2, ORDER)
        one.stop()
        assert one.thread.isFinished()
        one.stop()
