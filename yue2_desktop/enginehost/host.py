"""The engine process's main loop: commands in, one job at a time, events out."""

from __future__ import annotations

import logging
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Protocol

from yue2_desktop import __version__, logs
from yue2_desktop.engine.cuda.environment import prepare_allocator
from yue2_desktop.engine.messages import (
    VERSION,
    Cancel,
    Command,
    CountTokens,
    Event,
    FactsRead,
    Failed,
    FreeMemory,
    Make,
    MessageError,
    Noted,
    Quit,
    ReadFacts,
    Ready,
    TokensCounted,
    decode_command,
)
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.enginehost.counting import TokenCounting
from yue2_desktop.enginehost.streams import Speaker, lines, take_over

_log = logging.getLogger(__name__)

#: How long the end waits for a job that was told to stop; the window's own patience is 5 s.
_FAREWELL_S: Final = 3.0
#: Lines that are no commands are answered up to this many, so that a flood of them is not doubled.
_GARBAGE_TOLD: Final = 20


class Work(Protocol):
    """What the host has done: `enginehost.jobs.Jobs`, or a stand-in for it."""

    def make(self, job: int, values: Mapping[str, object], cancel: CancelToken) -> None: ...

    def free(self) -> None: ...


class Host:
    """Listens on one thread and works on another. `load` imports the engine; `facts` reads the machine."""

    def __init__(
        self,
        say: Callable[[Event], None],
        load: Callable[[], tuple[Work, str]],
        facts: Callable[[ReadFacts], Mapping[str, object]],
        end: Callable[[int], None] = os._exit,
        count: Callable[[CountTokens], TokensCounted] | None = None,
    ) -> None:
        self._say_to = say
        self._load = load
        self._facts = facts
        self._end = end
        self._count = count or TokenCounting().count
        self._todo: queue.Queue[Make | FreeMemory | None] = queue.Queue()
        self._tokens: dict[int, CancelToken] = {}
        self._lock = threading.Lock()
        self._garbage = 0
        self._gone = False

    def serve(self, heard: Iterable[str]) -> int:
        """Obeys until it is told to quit or the lines end; the exit status."""
        worker = threading.Thread(target=self._work, name="engine work", daemon=True)
        worker.start()
        for line in heard:
            if line and not self._obey(line):
                break
        with self._lock:
            for token in self._tokens.values():
                token.cancel()
        self._todo.put(None)
        worker.join(_FAREWELL_S)
        return 0

    def _obey(self, line: str) -> bool:
        """False for the end."""
        try:
            command: Command = decode_command(line)
        except MessageError as error:
            self._garbage += 1
            if self._garbage <= _GARBAGE_TOLD:
                self._say(Noted("info", f"not a command ({error})"))
            return True
        match command:
            case Quit():
                return False
            case Make():
                with self._lock:
                    self._tokens[command.job] = CancelToken()
                self._todo.put(command)
            case Cancel():
                with self._lock:
                    token = self._tokens.get(command.job)
                if token is not None:
                    token.cancel()
            case FreeMemory():
                self._todo.put(command)
            case ReadFacts():
                # Also while a job runs, which has the working thread.
                read = partial(self._read_facts, command)
                threading.Thread(target=read, name="engine facts", daemon=True).start()
            case CountTokens():
                say = partial(self._say_count, command)
                threading.Thread(target=say, name="engine count", daemon=True).start()
        return not self._gone

    def _work(self) -> None:
        try:
            self._work_on()
        except BaseException as error:  # noqa: BLE001 - whatever it is, an engine that does not work must end
            _log.exception("the engine failed")
            self._say(Noted("error", f"The engine failed ({type(error).__name__}: {error})."))
            self._end(1)

    def _work_on(self) -> None:
        work, torch_version = self._load()
        self._say(Ready(VERSION, __version__, torch_version, os.getpid()))
        while (command := self._todo.get()) is not None:
            if isinstance(command, FreeMemory):
                work.free()
                continue
            with self._lock:
                token = self._tokens[command.job]
            try:
                work.make(command.job, command.order, token)
            except MessageError as error:
                _log.exception("what came of a job cannot be said")
                self._say(Failed(command.job, "engine-died", f"What came of the render cannot be told ({error})."))
            finally:
                with self._lock:
                    self._tokens.pop(command.job, None)

    def _read_facts(self, asked: ReadFacts) -> None:
        self._say(FactsRead(self._facts(asked)))

    def _say_count(self, asked: CountTokens) -> None:
        self._say(self._count(asked))

    def _say(self, event: Event) -> None:
        try:
            self._say_to(event)
        except OSError as error:
            # The window is gone; the end of what it says ends this process, too.
            self._gone = True
            _log.info("nobody listens: %s", error)


def run() -> int:
    """The whole life of an engine process; its exit status."""
    # Ctrl-C in the terminal of the window reaches both; the window decides, and its end is this one's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare_allocator()
    heard, said = take_over()
    log = _started_log()
    speaker = Speaker(said)
    try:
        return Host(speaker.say, lambda: _loaded(speaker.say), _facts).serve(lines(heard))
    finally:
        if log is not None:
            log.close()


def _loaded(say: Callable[[Event], None]) -> tuple[Work, str]:
    import torch

    from yue2_desktop.enginehost.jobs import Jobs

    return Jobs(say), str(torch.__version__)


def _facts(asked: ReadFacts) -> Mapping[str, object]:
    from yue2_desktop.enginehost.facts import read_facts

    return read_facts(asked)


def _started_log() -> logs.Logs | None:
    logging.getLogger("yue2_desktop").addHandler(logging.NullHandler())
    try:
        return logs.start("yue2-engine")
    except OSError as error:
        logging.getLogger(__name__).info("there is no log: %s", error)
        return None
