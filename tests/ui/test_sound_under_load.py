"""The sound goes on without a gap while the window is as busy as an engine can make it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.desks import Answers, opened, song
from yue2_desktop.audio.device_sink import LATENCY_S
from yue2_desktop.audio.sink import Pull
from yue2_desktop.engine.messages import Event
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.queue.job import JobState
from yue2_desktop.runtime.fake_engine import FakeEngine, Script
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.ui.controller import Controller
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.player.bar import PlayerBar
from yue2_desktop.ui.player.playable import Playable

RATE = 48_000
BLOCK_S = 0.02
#: The report asks for 60 s; YUE2_SOUND_S makes it so by hand.
SECONDS = float(os.environ.get("YUE2_SOUND_S", "4"))
#: Another program may take the processor away for longer than the ring lasts, but hardly three times.
TRIES = 3


class Device:
    """A sound device as PortAudio drives one: a block each 20 ms, and a ring of LATENCY_S before it is silent."""

    name, latency_s = "device", LATENCY_S

    def __init__(self) -> None:
        self.blocks = self.underflows = 0
        self.latest = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, pull: Pull, sample_rate: int, channels: int) -> None:
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(pull, round(BLOCK_S * sample_rate)), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(5)
        self._thread = None

    def _run(self, pull: Pull, frames: int) -> None:
        due = time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            pull(frames)
            late = time.monotonic() - due
            self.blocks += 1
            self.latest = max(self.latest, late)
            if late > LATENCY_S:
                self.underflows += 1
                due = time.monotonic()  # the device has been silent; it goes on from here
            due += BLOCK_S


class Flood:
    """Engines that talk without a pause."""

    def __call__(self, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> FakeEngine:
        return FakeEngine(on_event, on_end, Script(steps=500))


@pytest.fixture
def devices() -> list[Device]:
    return []


@pytest.fixture
def desk(
    qtbot: QtBot, answers: Answers, test_model: TestModel, tmp_path: Path, devices: list[Device]
) -> Iterator[Desk]:
    def device(_name: str | None) -> Device:
        devices.append(Device())
        return devices[-1]

    models = test_model.model_dir.parent
    with opened(qtbot, answers, models, tmp_path, Flood(), make_player_sink=device) as made:
        yield made


def test_row_127_no_gap_in_the_sound_during_a_saturating_render(
    desk: Desk, devices: list[Device], qtbot: QtBot
) -> None:
    controller, player = desk.findChild(Controller), desk.window.findChild(PlayerBar)
    assert isinstance(controller, Controller)
    assert isinstance(player, PlayerBar)
    desk.session.apply("Words", song(cot="off"))
    sound = np.full((int((SECONDS * TRIES + 60) * RATE), 2), 0.1, np.float32)
    player.load(Playable("one", "One", lambda: (sound, RATE), seconds=len(sound) / RATE))
    qtbot.waitUntil(lambda: bool(devices) and devices[-1].blocks > 10, timeout=20_000)
    (device,) = devices
    underflows = []
    for _ in range(TRIES):
        device.underflows, device.blocks, device.latest = 0, 0, 0.0
        end = time.monotonic() + SECONDS
        done = 0
        while time.monotonic() < end:
            if controller.rendering.running is None:
                controller.render_takes(4)
            qtbot.wait(20)
        done = sum(job.state is JobState.DONE for job in controller.rendering.jobs())
        assert done > 0, "the engine did not talk"
        assert player.playback.is_playing
        # What was pulled is what the clock says, up to the ring and the block that is under way.
        assert device.blocks * BLOCK_S >= SECONDS - LATENCY_S - 2 * BLOCK_S or device.underflows
        underflows.append(device.underflows)
        print(f"{device.blocks} blocks, the latest {device.latest * 1000:.0f} ms late, {done} takes told")
        if not device.underflows:
            break
    assert min(underflows) == 0, underflows
    controller.rendering.pause_all(True)
    qtbot.waitUntil(lambda: controller.rendering.running is None, timeout=60_000)
