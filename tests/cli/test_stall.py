"""A stage that stands still is told of, and can be stopped (user-reports.md, rows 10 and 11)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yue2_desktop.cli.events import JsonEvents
from yue2_desktop.cli.stall import Pulse, StallWatch, stalled
from yue2_desktop.engine.pipeline import Pipeline, Watch
from yue2_desktop.engine.progress import Progress, Stage
from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.record import read_record
from yue2_desktop.plan import patience

PATIENCE_S = 30


def _tiles(done: int, rate: float | None) -> Progress:
    return Progress(Stage.DECODE, done, 8, "tiles", rate)


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [(None, 600.0), (100.0, 60.0), (1.0, 60.0), (0.1, 200.0)],
)
def test_it_is_told_when_patience_is_at_its_end(rate: float | None, seconds: float) -> None:
    pulse = Pulse(_tiles(1, rate), at=1000.0)
    assert stalled(pulse, 1000.0 + seconds - 1) is None
    assert stalled(pulse, 1000.0 + seconds) is not None


def test_the_sentence() -> None:
    sentence = stalled(Pulse(_tiles(3, 0.1), at=0.0), 240.0)
    assert sentence is not None
    assert sentence.startswith("No progress for about 4 min: 3 of 8 tiles, where one takes 10 s usually. ")
    assert sentence.endswith("what is finished is kept, and the rest can be made later.")
    assert "usually" not in str(stalled(Pulse(_tiles(0, None), at=0.0), 700.0))


def test_each_standstill_is_told_once() -> None:
    told: list[str] = []
    heard = threading.Semaphore(0)
    now = 0.0

    def say(sentence: str) -> None:
        told.append(sentence)
        heard.release()

    passed: list[Progress] = []
    with StallWatch(say, clock=lambda: now, every_s=0.005) as watch:
        report = watch.through(passed.append)
        report(_tiles(1, 1.0))
        now = 61.0
        assert heard.acquire(timeout=PATIENCE_S)
        time.sleep(0.05)  # ten looks more
        report(_tiles(2, 1.0))
        time.sleep(0.05)
        assert len(told) == 1
        now = 122.0
        assert heard.acquire(timeout=PATIENCE_S)
    assert [sentence.split(": ")[1][:1] for sentence in told] == ["1", "2"]
    assert passed == [_tiles(1, 1.0), _tiles(2, 1.0)]


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no process a signal of its own")
def test_row_10_a_decoder_that_hangs_is_told_of_and_stopped(
    cli: Callable[..., Any], models: tuple[str, ...], finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 12, too: tokens and latents are on the disk before the decode begins, and only that is left to do."""
    monkeypatch.setattr(patience, "_UNKNOWN_S", 0.2)
    hung = threading.Event()

    def hangs(self: Pipeline, latents: np.ndarray, core: int | None, watch: Watch) -> np.ndarray:
        watch.on_progress(_tiles(0, None))
        hung.set()
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            watch.cancel.check()
            time.sleep(0.01)
        raise AssertionError("nobody stopped it")

    tell = JsonEvents.note

    def note(self: JsonEvents, sentence: str) -> None:
        tell(self, sentence)
        if hung.is_set() and "No progress" in sentence:
            os.kill(os.getpid(), signal.SIGINT)  # the user sees it and presses Ctrl-C

    out = tmp_path / "take"
    again = ("render", "--from-take", finished, "--reuse", "semantic", *models, "--output", out, "--json")
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "decode", hangs)
        patch.setattr(JsonEvents, "note", note)
        ended = cli(*again)
    assert ended.status == 130
    assert any("0 of 8 tiles" in event["sentence"] for event in ended.events if event["event"] == "note")
    stages = read_record(out).stages
    assert [stages[stage].state for stage in TakeStage] == ["complete", "complete", "complete", "cancelled"]
    rest = cli("render", "--resume", out, "--json")
    assert rest.status == 0
    assert [event["stage"] for event in rest.events if event["event"] == "stage-begin"] == ["audio"]
