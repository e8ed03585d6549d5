"""One engine process: started in the background, spoken to in lines, ended without fail. Knows no Qt."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import IO, Final, Protocol

from yue2_desktop.engine.messages import (
    MAX_LINE,
    Cancel,
    Command,
    Event,
    Failed,
    Made,
    Make,
    MessageError,
    Quit,
    Ready,
    decode_event,
    encode,
)
from yue2_desktop.runtime.outcome import Outcome

_log = logging.getLogger(__name__)

#: How long the engine may take to stop a job, or to end, before it is made to.
PATIENCE_S: Final = 5.0
#: Lines that are no messages are logged up to this many; then only counted.
_GARBAGE_LOGGED: Final = 20


class EngineState(StrEnum):
    """Where the engine is in its life."""

    IDLE = "idle"
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    STOPPING = "stopping"
    DEAD = "dead"


class Engine(Protocol):
    """What the worker drives: the process, or a stand-in for it in tests."""

    @property
    def state(self) -> EngineState: ...

    def start(self) -> None: ...

    def send(self, command: Command) -> None:
        """Raises EngineGoneError when there is nobody to hear it."""
        ...

    def cancel(self, job: int) -> None:
        """Asks for a stop; an engine that does not stop within the patience is ended."""
        ...

    def stop(self) -> None:
        """Asks it to end, and sees to it. Returns when it is gone."""
        ...


class EngineGoneError(Exception):
    """The engine is not there to be spoken to."""


class EngineProcess:
    """The engine in a process of its own. Callbacks come from reading threads, one at a time.

    `on_event` gets each message, `on_end` the outcome once, after the last message.
    """

    def __init__(
        self,
        command: Sequence[str],
        on_event: Callable[[Event], None],
        on_end: Callable[[Outcome], None],
        *,
        environment: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._command = list(command)
        self._environment = dict(environment) if environment is not None else None
        self._on_event = on_event
        self._on_end = on_end
        self._patience_s = patience_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._state = EngineState.IDLE
        self._asked = self._killed = False
        self._deadline: threading.Timer | None = None
        self._reader: threading.Thread | None = None
        self._garbage = 0
        self._over: int | None = None

    @property
    def state(self) -> EngineState:
        return self._state

    def start(self) -> None:
        """Starts the process; what follows comes through the callbacks, also when it cannot be started."""
        if self._process is not None:
            raise RuntimeError("an engine process is started once")
        self._state = EngineState.STARTING
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows a console would open
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment,
                creationflags=flags,
            )
        except OSError as error:
            self._state = EngineState.DEAD
            self._on_end(Outcome(None, reason=error.strerror or str(error)))
            return
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        errors = threading.Thread(target=self._log_errors, args=(self._process.stderr,), name="engine log", daemon=True)
        errors.start()
        self._reader = threading.Thread(
            target=self._read, args=(self._process, self._process.stdout, errors), name="engine reader", daemon=True
        )
        self._reader.start()

    def send(self, command: Command) -> None:
        """Says something to the engine. Raises EngineGoneError when it is not there."""
        line = encode(command).encode("ascii") + b"\n"
        process = self._process
        with self._lock:
            if process is None or process.stdin is None or self._state is EngineState.DEAD:
                raise EngineGoneError("the engine is not running")
            if isinstance(command, Make):
                self._over = None
                self._state = EngineState.BUSY
            try:
                process.stdin.write(line)
                process.stdin.flush()
            except (OSError, ValueError) as error:
                raise EngineGoneError(f"the engine does not listen any more ({error})") from error

    def cancel(self, job: int) -> None:
        """Asks the job to stop; ends the process when it has not after the patience. One that is over is left alone."""
        with self._lock:
            if job == self._over:
                return
            self._state = EngineState.STOPPING
            self._arm()
        try:
            self.send(Cancel(job))
        except EngineGoneError as gone:
            _log.info("cancel: %s", gone)

    def stop(self) -> None:
        """Asks the process to end, ends it after the patience, and waits until all is read."""
        if self._process is None:
            self._state = EngineState.DEAD
            return
        self._asked = True
        self._state = EngineState.STOPPING if self._state is not EngineState.DEAD else EngineState.DEAD
        self._arm()
        try:
            self.send(Quit())
        except EngineGoneError as gone:
            _log.info("stop: %s", gone)
        if self._reader is not None and self._reader is not threading.current_thread():
            self._reader.join(2 * self._patience_s + 1)

    def kill(self) -> None:
        """Ends the process at once."""
        process = self._process
        if process is not None and process.poll() is None:
            self._killed = True
            process.kill()

    def _arm(self) -> None:
        self._disarm()
        self._deadline = threading.Timer(self._patience_s, self.kill)
        self._deadline.daemon = True
        self._deadline.start()

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _read(self, process: subprocess.Popen[bytes], stream: IO[bytes], errors: threading.Thread) -> None:
        while line := stream.readline(MAX_LINE + 1):
            self._heard(line)
        code = process.wait()
        self._disarm()
        errors.join(1.0)
        if self._garbage > _GARBAGE_LOGGED:
            _log.warning("%d lines of the engine were no messages", self._garbage)
        self._state = EngineState.DEAD
        for pipe in (process.stdin, process.stdout, process.stderr):
            _close(pipe)
        self._on_end(Outcome(code, asked=self._asked, killed=self._killed))

    def _heard(self, line: bytes) -> None:
        try:
            event = decode_event(line.decode("utf-8", errors="replace"))
        except MessageError as error:
            self._garbage += 1
            if self._garbage <= _GARBAGE_LOGGED:
                _log.warning("not a message of the engine (%s): %r", error, line[:200])
            return
        if isinstance(event, Ready | Made | Failed) and not self._asked:
            with self._lock:
                self._over = None if isinstance(event, Ready) else event.job
                self._disarm()
                self._state = EngineState.READY
        self._on_event(event)

    def _log_errors(self, stream: IO[bytes]) -> None:
        for line in stream:
            _log.info("engine: %s", line.decode("utf-8", errors="replace").rstrip())


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        try:
            pipe.close()
        except OSError as error:
            # What was still to be written has no reader any more.
            _log.debug("closing a pipe of the engine: %s", error)


def own_command() -> list[str]:
    """How this program starts itself, frozen or not."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "yue2_desktop"]


def engine_command() -> list[str]:
    """How this program starts its own engine, frozen or not."""
    return [*own_command(), "--engine-host"]
