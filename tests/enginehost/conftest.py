"""The engine in a process of its own, as the window has it, and orders for songs of a second on the test model."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from yue2_desktop.engine.messages import Event, Ready
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.runtime.engine_process import EngineProcess, engine_command
from yue2_desktop.runtime.orders import Places
from yue2_desktop.runtime.outcome import Ending, Outcome
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import RenderOrder, render_order
from yue2_desktop.song.render_settings import RenderSettings

ROOT = Path(__file__).parents[2]
#: Far above what any step takes; a test that hangs must end.
PATIENCE_S = 60.0

E = TypeVar("E", bound=Event)


class RunningEngine:
    """An engine process, with what it says in a queue."""

    def __init__(self) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.ends: queue.Queue[Outcome] = queue.Queue()
        self.heard: list[Event] = []
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        self.process = EngineProcess(engine_command(), self.events.put, self.ends.put, environment=environment)
        self.process.start()

    def wait_for(self, kind: type[E], wanted: Callable[[E], bool] = lambda _event: True) -> E:
        """The next event of a kind that is wanted; those before it are kept in `heard`."""
        end = time.monotonic() + PATIENCE_S
        while True:
            event = self.events.get(timeout=max(0.1, end - time.monotonic()))
            self.heard.append(event)
            if isinstance(event, kind) and wanted(event):
                return event

    def outcome(self) -> Outcome:
        return self.ends.get(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def engine() -> Iterator[RunningEngine]:
    """One engine for the tests of a module: starting it takes seconds."""
    running = RunningEngine()
    running.wait_for(Ready)
    yield running
    running.process.stop()
    assert running.outcome().ending is Ending.ASKED


@pytest.fixture
def places(test_model: TestModel) -> Places:
    return Places(test_model.model_dir, test_model.vae_dir, device="cpu", dtype="float32", threads=1)


@pytest.fixture
def song() -> SongDocument:
    """A second of song: every stage, a few tokens each."""
    return replace(
        SongDocument(),
        style="English, piano pop",
        lyrics="[Verse]\nhello\n",
        abc_sampling={"min_tokens": 4, "max_tokens": 6},
        render=RenderSettings(ode_steps=2, vae_core=8, max_frames=12),
    )


@pytest.fixture
def tiny(song: SongDocument) -> RenderOrder:
    return render_order(song, 7)
