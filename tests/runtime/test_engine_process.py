"""The engine process against small scripts that stand in for it: order, garbage, floods, crashes, hangs."""

from __future__ import annotations

import queue
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from yue2_desktop.engine.messages import Event, Failed, Made, Make, Noted, Ready
from yue2_desktop.runtime.engine_process import EngineGoneError, EngineProcess, EngineState, engine_command
from yue2_desktop.runtime.outcome import Ending, Outcome

_PRELUDE = """
    import json, os, sys, time
    def say(**values):
        sys.stdout.write(json.dumps({"v": 1, **values}) + "\\n"); sys.stdout.flush()
    def ready():
        say(type="ready", protocol=1, app_version="0", torch="none", pid=os.getpid())
"""


class Harness:
    """A process with a script, and what it said."""

    def __init__(self, folder: Path, script: str, patience_s: float = 5.0) -> None:
        path = folder / "engine.py"
        path.write_text(textwrap.dedent(_PRELUDE) + textwrap.dedent(script), encoding="utf-8")
        self.events: queue.Queue[Event] = queue.Queue()
        self.ends: queue.Queue[Outcome] = queue.Queue()
        self.process = EngineProcess([sys.executable, str(path)], self.events.put, self.ends.put, patience_s=patience_s)
        self.process.start()

    def event(self) -> Event:
        return self.events.get(timeout=20)

    def outcome(self) -> Outcome:
        return self.ends.get(timeout=20)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Harness]]:
    started: list[Harness] = []

    def start(script: str, patience_s: float = 5.0) -> Harness:
        started.append(Harness(tmp_path, script, patience_s))
        return started[-1]

    yield start
    for harness in started:
        harness.process.kill()
        harness.process.stop()


_SERVES = """
    ready()
    for line in sys.stdin:
        command = json.loads(line)
        if command["type"] == "make":
            say(type="made", job=command["job"], folder=command["order"]["folder"], summary={})
        elif command["type"] == "cancel":
            say(type="failed", job=command["job"], kind="cancelled", sentence="Cancelled.")
        elif command["type"] == "quit":
            break
"""


def test_a_job_is_made_and_the_engine_ends_when_asked(run: Callable[..., Harness]) -> None:
    harness = run(_SERVES)
    assert isinstance(harness.event(), Ready)
    assert harness.process.state is EngineState.READY
    harness.process.send(Make(7, {"folder": "Песня ☃"}))
    assert harness.event() == Made(7, "Песня ☃", {})
    harness.process.stop()
    assert harness.outcome().ending is Ending.ASKED
    assert harness.process.state is EngineState.DEAD
    with pytest.raises(EngineGoneError):
        harness.process.send(Make(8, {}))


def test_a_cancel_is_answered_and_the_engine_lives_on(run: Callable[..., Harness]) -> None:
    harness = run(_SERVES)
    harness.event()
    harness.process.cancel(3)
    assert harness.process.state is EngineState.STOPPING
    assert isinstance(harness.event(), Failed)
    assert harness.process.state is EngineState.READY
    harness.process.send(Make(4, {"folder": "next"}))
    assert harness.event() == Made(4, "next", {})


def test_an_engine_that_ignores_a_cancel_is_ended(run: Callable[..., Harness]) -> None:
    harness = run("ready(); time.sleep(600)", patience_s=0.2)
    harness.event()
    start = time.monotonic()
    harness.process.cancel(1)
    outcome = harness.outcome()
    assert outcome.ending is Ending.KILLED
    assert "did not stop" in outcome.sentence
    assert time.monotonic() - start < 60


def test_an_engine_that_ignores_its_end_is_ended(run: Callable[..., Harness]) -> None:
    harness = run("ready(); time.sleep(600)", patience_s=0.2)
    harness.event()
    harness.process.stop()
    assert harness.outcome().ending is Ending.KILLED


def test_garbage_and_floods_are_survived(run: Callable[..., Harness]) -> None:
    harness = run(
        """
        for n in range(3000):
            print("Warning: not a message", n)
        sys.stdout.buffer.write(b"\\xff\\xfe broken \\n")
        print("x" * 6_000_000)
        for n in range(2000):
            say(type="noted", level="info", text=str(n))
        ready()
        """
    )
    texts = [event.text for event in (harness.event() for _ in range(2000)) if isinstance(event, Noted)]
    assert texts == [str(n) for n in range(2000)]
    assert isinstance(harness.event(), Ready)
    assert harness.outcome().code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_crash_arrives_as_an_outcome(run: Callable[..., Harness]) -> None:
    harness = run("ready(); os.kill(os.getpid(), 11)")
    harness.event()
    outcome = harness.outcome()
    assert outcome.ending is Ending.CRASHED
    assert "SIGSEGV" in outcome.sentence


def test_an_engine_that_ends_by_itself_has_failed(run: Callable[..., Harness]) -> None:
    outcome = run("sys.exit(3)").outcome()
    assert (outcome.ending, outcome.code) == (Ending.FAILED, 3)
    assert "status 3" in outcome.sentence


def test_what_cannot_be_started_is_an_outcome(tmp_path: Path) -> None:
    ends: list[Outcome] = []
    process = EngineProcess([str(tmp_path / "absent")], lambda event: None, ends.append)
    process.start()
    assert ends[0].ending is Ending.NOT_STARTED
    assert "could not be started" in ends[0].sentence
    process.stop()


def test_the_engine_ends_with_its_parent(run: Callable[..., Harness]) -> None:
    """The end of the line that it listens to is its end."""
    harness = run(_SERVES)
    harness.event()
    process = harness.process._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert harness.outcome().code == 0


@pytest.mark.parametrize(
    ("outcome", "ending"),
    [
        (Outcome(0xC0000005), Ending.CRASHED),
        (Outcome(-9, killed=True), Ending.KILLED),
        (Outcome(0), Ending.FAILED),
        (Outcome(1, asked=True), Ending.FAILED),
        (Outcome(0, asked=True), Ending.ASKED),
    ],
)
def test_outcomes_are_told_apart(outcome: Outcome, ending: Ending) -> None:
    assert outcome.ending is ending
    assert bool(outcome.sentence) == (ending is not Ending.ASKED)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_engine_that_the_system_ended_says_why_that_may_be() -> None:
    assert (
        Outcome(-9).sentence == "The engine was ended from outside (SIGKILL), as the system does when memory runs out."
    )
    assert Outcome(-11).sentence == "The engine ended unexpectedly (SIGSEGV)."


def test_the_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_command()[1:] == ["-m", "yue2_desktop", "--engine-host"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert engine_command()[1:] == ["--engine-host"]
