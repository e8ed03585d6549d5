"""A worker in its thread, scripted engines, and what was told; nothing may be left of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from pytestqt.qtbot import QtBot

from yue2_desktop.engine.messages import Failed, Ready
from yue2_desktop.queue.job import JobStanding
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.runtime.worker import RenderWorker, start_worker, stop_worker


@dataclass
class Fakes:
    """A factory of fake engines: the scripts in turn, the last one again and again."""

    scripts: list[Script]
    made: list[FakeEngine] = field(default_factory=list)

    def __call__(self, on_event: object, on_end: object) -> FakeEngine:
        script = self.scripts[min(len(self.made), len(self.scripts) - 1)]
        self.made.append(FakeEngine(on_event, on_end, script))  # type: ignore[arg-type]
        return self.made[-1]


class Told(QObject):
    """What the worker told, in order, heard in the thread of the tests."""

    def __init__(self, worker: RenderWorker) -> None:
        super().__init__()
        self.states: list[EngineState] = []
        self.said: list[tuple[object, ...]] = []
        self.threads: set[QThread] = set()
        worker.state_changed.connect(self.state)
        worker.progress.connect(self.progressed)
        worker.plan_taken.connect(self.plan)
        worker.stage_done.connect(self.stage)
        worker.made.connect(self.made)
        worker.failed.connect(self.failed)
        worker.interrupted.connect(self.interrupted)
        worker.noted.connect(self.noted)
        worker.ended.connect(self.ended)
        worker.ready.connect(self.ready)
        worker.facts.connect(self.facts)
        worker.freed.connect(self.freed)

    def kinds(self) -> list[object]:
        return [said[0] for said in self.said]

    @Slot(object)
    def state(self, state: EngineState) -> None:
        self.threads.add(QThread.currentThread())
        self.states.append(state)

    @Slot(int, object)
    def progressed(self, job: int, standing: JobStanding) -> None:
        self.said.append(("progress", job, standing.stage, standing.done))

    @Slot(int, str)
    def plan(self, job: int, plan: str) -> None:
        self.said.append(("plan", job, plan))

    @Slot(int, str, float)
    def stage(self, job: int, stage: str, seconds: float) -> None:
        self.said.append(("stage", job, stage))

    @Slot(int, str, object)
    def made(self, job: int, folder: str, summary: object) -> None:
        self.said.append(("made", job, folder))

    @Slot(int, object)
    def failed(self, job: int, failed: Failed) -> None:
        self.said.append(("failed", job, failed.kind, failed.sentence))

    @Slot(int, object)
    def interrupted(self, job: int, failed: Failed | None) -> None:
        self.said.append(("interrupted", job, *(() if failed is None else (failed.kind, failed.sentence))))

    @Slot(str, str)
    def noted(self, level: str, text: str) -> None:
        self.said.append(("noted", level, text))

    @Slot(object)
    def ended(self, outcome: Outcome) -> None:
        self.said.append(("ended", outcome.ending))

    @Slot(object)
    def ready(self, ready: Ready) -> None:
        self.said.append(("ready", ready.protocol))

    @Slot(object)
    def facts(self, facts: object) -> None:
        self.said.append(("facts", facts))

    @Slot(object)
    def freed(self, freed: object) -> None:
        self.said.append(("freed",))


@dataclass
class Bench:
    """A worker in its thread, its engines, and what it told."""

    thread: QThread
    worker: RenderWorker
    fakes: Fakes
    told: Told

    def stop(self) -> None:
        assert stop_worker(self.thread, self.worker)


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Callable[..., Bench]]:
    """Starts workers; ends each, and fails the test that leaks a thread (user-reports.md, row 107)."""
    before = set(threading.enumerate())
    started: list[Bench] = []

    def start(*scripts: Script) -> Bench:
        fakes = Fakes(list(scripts) or [Script()])
        thread, worker = start_worker(fakes)
        started.append(Bench(thread, worker, fakes, Told(worker)))
        return started[-1]

    yield start
    for one in started:
        one.stop()
        assert one.thread.isFinished()
    # Cancelled timers need a moment to be gone. Threads of Qt that were seen by Python stay in its list.
    end = time.monotonic() + 5
    while (left := _ours(before)) and time.monotonic() < end:
        time.sleep(0.01)
    assert left == []


def _ours(before: set[threading.Thread]) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
