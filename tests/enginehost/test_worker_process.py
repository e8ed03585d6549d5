"""The worker of the window with the engine's real process: a take from end to end, and a closing in the middle."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from tests.enginehost.conftest import ROOT
from tests.pace import pace
from yue2_desktop.queue.job import JobStanding
from yue2_desktop.runtime.environment import process_factory
from yue2_desktop.runtime.orders import Places, new_order
from yue2_desktop.runtime.worker import RenderWorker, start_worker, stop_worker
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.render_order import RenderOrder, render_order
from yue2_desktop.song.render_settings import RenderSettings

_PATIENCE_MS = 60_000


def test_a_take_and_a_closing_in_the_middle_of_the_next(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    song: SongDocument,
    tiny: RenderOrder,
    places: Places,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    thread, worker = start_worker(process_factory())
    told = _Told(worker)
    worker.make(1, new_order(tiny, tiny.requests[0], tmp_path / "one", places, allow_bad_score=True))
    qtbot.waitUntil(lambda: bool(told.takes), timeout=_PATIENCE_MS)
    assert told.takes == [(1, str(tmp_path / "one"), 12)]
    long = render_order(replace(song, render=RenderSettings(ode_steps=64, vae_core=8, max_frames=40)), 7)
    worker.make(2, new_order(long, long.requests[0], tmp_path / "two", places, allow_bad_score=True))
    qtbot.waitUntil(lambda: (2, "steps") in told.units, timeout=_PATIENCE_MS)
    start = time.monotonic()
    assert stop_worker(thread, worker)
    # The window's patience is 5 s; a job in the acoustic stage stops within a layer.
    assert time.monotonic() - start < 5.0 * pace()
    left = [child for child in psutil.Process(os.getpid()).children() if "--engine-host" in child.cmdline()]
    assert left == []


class _Told(QObject):
    def __init__(self, worker: RenderWorker) -> None:
        super().__init__()
        self.takes: list[tuple[int, str, object]] = []
        self.units: set[tuple[int, str]] = set()
        worker.made.connect(self.made)
        worker.progress.connect(self.progressed)

    @Slot(int, str, object)
    def made(self, job: int, folder: str, summary: Mapping[str, object]) -> None:
        self.takes.append((job, folder, summary["frames"]))

    @Slot(int, object)
    def progressed(self, job: int, standing: JobStanding) -> None:
        self.units.add((job, standing.unit))
