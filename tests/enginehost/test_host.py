"""The main loop of the engine with a stand-in for the work: what runs when, and how it ends."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from yue2_desktop import __version__
from yue2_desktop.engine.messages import (
    VERSION,
    Cancel,
    Command,
    Event,
    FactsRead,
    Failed,
    Freed,
    FreeMemory,
    Made,
    Make,
    Noted,
    Quit,
    ReadFacts,
    Ready,
    encode,
)
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.enginehost.host import Host, Work
from yue2_desktop.song.errors import Problem

PATIENCE_S = 20.0


@dataclass
class Slow:
    """Work that lasts until it is cancelled or let go."""

    say: Callable[[Event], None]
    go: threading.Event = field(default_factory=threading.Event)
    running: queue.Queue[int] = field(default_factory=queue.Queue)

    def make(self, job: int, values: Mapping[str, object], cancel: CancelToken) -> None:
        self.running.put(job)
        try:
            end = time.monotonic() + PATIENCE_S
            while not self.go.wait(0.005) and time.monotonic() < end:
                cancel.check()
            cancel.check()
        except Problem as problem:
            self.say(Failed(job, problem.kind.value, problem.sentence))
            return
        self.say(Made(job, "folder", {}))

    def free(self) -> None:
        self.say(Freed(1))


class Talk:
    """A host on a thread of its own, spoken to and listened to."""

    def __init__(self, load: Callable[[Talk], tuple[Work, str]] | None = None, *, deaf: bool = False) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.ends: queue.Queue[int] = queue.Queue()
        self.deaf = deaf
        self.work = Slow(self.events.put)
        loaded = load or (lambda talk: (talk.work, "2.0"))
        self.host = Host(self._say, lambda: loaded(self), lambda asked: {"ram": 1}, self.ends.put)
        self.thread = threading.Thread(target=lambda: self.ends.put(self.host.serve(iter(self.lines.get, None))))
        self.thread.start()

    def _say(self, event: Event) -> None:
        if self.deaf:
            raise BrokenPipeError
        encode(event)
        self.events.put(event)

    def send(self, *commands: Command) -> None:
        for command in commands:
            self.lines.put(encode(command))

    def event(self) -> Event:
        return self.events.get(timeout=PATIENCE_S)

    def end(self) -> int:
        return self.ends.get(timeout=PATIENCE_S)


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    started: list[Talk] = []

    def start(*args: object, **options: object) -> Talk:
        started.append(Talk(*args, **options))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for one in started:
        one.lines.put(None)
        one.thread.join(PATIENCE_S)
        assert not one.thread.is_alive()


def test_jobs_run_one_after_the_other(talk: Callable[..., Talk]) -> None:
    one = talk()
    assert one.event() == Ready(VERSION, __version__, "2.0", os.getpid())
    one.send(Make(1, {}), Make(2, {}), FreeMemory())
    assert one.work.running.get(timeout=PATIENCE_S) == 1
    assert one.work.running.empty()
    # What the machine has can be read meanwhile.
    one.send(ReadFacts())
    assert one.event() == FactsRead({"ram": 1})
    one.work.go.set()
    assert [one.event(), one.event(), one.event()] == [Made(1, "folder"), Made(2, "folder"), Freed(1)]


def test_a_cancel_reaches_the_running_job_and_those_that_wait(talk: Callable[..., Talk]) -> None:
    one = talk()
    one.event()
    one.send(Make(1, {}), Make(2, {}), Make(3, {}))
    one.work.running.get(timeout=PATIENCE_S)
    one.send(Cancel(2), Cancel(1), Cancel(99))
    first, second = one.event(), one.event()
    assert isinstance(first, Failed)
    assert isinstance(second, Failed)
    assert [(first.job, first.kind), (second.job, second.kind)] == [(1, "cancelled"), (2, "cancelled")]
    one.work.go.set()
    assert one.event() == Made(3, "folder")
    # The number may be used again: a retry is the same job.
    one.send(Make(1, {}))
    assert one.event() == Made(1, "folder")


@pytest.mark.parametrize("how", ["quit", "end of the lines"])
def test_the_end_stops_the_running_job(talk: Callable[..., Talk], how: str) -> None:
    one = talk()
    one.event()
    one.send(Make(1, {}))
    one.work.running.get(timeout=PATIENCE_S)
    one.lines.put(encode(Quit()) if how == "quit" else None)
    assert one.end() == 0
    stopped = one.event()
    assert isinstance(stopped, Failed)
    assert stopped.kind == "cancelled"


def test_an_engine_that_cannot_be_loaded_says_so_and_ends(talk: Callable[..., Talk]) -> None:
    def load(_talk: Talk) -> tuple[Work, str]:
        raise ImportError("no torch here")

    one = talk(load)
    assert one.event() == Noted("error", "The engine failed (ImportError: no torch here).")
    assert one.end() == 1


def test_garbage_is_answered_a_few_times_only(talk: Callable[..., Talk]) -> None:
    one = talk()
    one.event()
    for line in ("", "[]", json.dumps({"v": 1, "type": "make", "job": "x", "order": {}}), *["?"] * 500):
        one.lines.put(line)
    one.work.go.set()
    one.send(Make(1, {}))
    told = []
    while not isinstance(event := one.event(), Made):
        told.append(event)
    assert len(told) == 20
    assert all(isinstance(event, Noted) for event in told)


def test_a_window_that_is_gone_ends_the_engine(talk: Callable[..., Talk]) -> None:
    one = talk(deaf=True)
    one.send(Make(1, {}))
    one.work.go.set()
    one.lines.put("?")
    assert one.end() == 0
