"""An engine in this process that follows a script: its timing, and what goes wrong; for tests of the window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from yue2_desktop.engine.messages import (
    VERSION,
    Command,
    CountTokens,
    Event,
    FactsRead,
    Failed,
    Freed,
    FreeMemory,
    Made,
    Make,
    Noted,
    PlanTaken,
    Progressed,
    Quit,
    ReadFacts,
    Ready,
    StageDone,
    TokensCounted,
)
from yue2_desktop.runtime.engine_process import EngineGoneError, EngineState
from yue2_desktop.runtime.outcome import Outcome

STAGES: Final = ("score", "semantic", "acoustic", "decode")
#: A code as a segmentation fault has it.
_CRASH: Final = -11

#: Takes the order of a job that is done, may write its take, and gives the summary of `Made`.
Finish = Callable[[Mapping[str, object]], Mapping[str, object]]


@dataclass(frozen=True)
class Script:
    """How the engine behaves. Times in seconds.

    `steps` are told in each of STAGES, `step_s` apart. It waits in the stage `hold_at` (`starting`: before it is
    ready) until it is cancelled, ended or released. `crash_at` is the stage in which it dies; `fail_with` is a kind
    and a sentence that the first job ends with, `warning` one that each job tells on its way, `plan` the plan that it
    says it takes. `obeys` False ignores
    a cancel, until the patience is over.
    """

    start_s: float = 0.0
    steps: int = 3
    step_s: float = 0.0
    patience_s: float = 0.2
    hold_at: str | None = None
    crash_at: str | None = None
    fail_with: tuple[str, str] | None = None
    warning: str | None = None
    plan: str | None = None
    obeys: bool = True
    facts: Mapping[str, object] = field(default_factory=dict)
    protocol: int = VERSION


class _EndedError(Exception):
    """The fake process is to end now."""


class FakeEngine:
    """Has the interface of `EngineProcess`; its thread stands for the process. `released` lets a hold go."""

    def __init__(
        self,
        on_event: Callable[[Event], None],
        on_end: Callable[[Outcome], None],
        script: Script | None = None,
        finish: Finish | None = None,
    ) -> None:
        self.script = script or Script()
        self.released = threading.Event()
        #: Every command that it got, in order.
        self.commands: list[Command] = []
        self._on_event = on_event
        self._on_end = on_end
        self._finish = finish
        self._state = EngineState.IDLE
        self._changed = threading.Condition()
        self._todo: list[Command] = []
        self._cancelled: set[int] = set()
        self._over: int | None = None
        self._quit = self._killed = self._asked = False
        self._thread: threading.Thread | None = None
        self._deadline: threading.Timer | None = None

    @property
    def state(self) -> EngineState:
        return self._state

    def start(self) -> None:
        self._state = EngineState.STARTING
        self._thread = threading.Thread(target=self._live, name="fake engine", daemon=True)
        self._thread.start()

    def send(self, command: Command) -> None:
        with self._changed:
            if self._state in {EngineState.IDLE, EngineState.DEAD}:
                raise EngineGoneError("the engine is not running")
            self.commands.append(command)
            if isinstance(command, Quit):
                self._quit = True
            elif not isinstance(command, CountTokens):
                self._todo.append(command)
            if isinstance(command, Make):
                self._state = EngineState.BUSY
                self._over = None
                self._cancelled.discard(command.job)
            self._changed.notify_all()
        if isinstance(command, CountTokens):  # as the real one, also while a job runs; a word is a token here
            words = f"{command.style} {command.lyrics} {command.score}".split()
            self._on_event(TokensCounted(command.ask, len(words)))

    def cancel(self, job: int) -> None:
        with self._changed:
            if job == self._over:
                return
            self._state = EngineState.STOPPING
            if self.script.obeys:
                self._cancelled.add(job)
            self._arm()
            self._changed.notify_all()

    def stop(self) -> None:
        if self._thread is None:
            self._state = EngineState.DEAD
            return
        self._asked = True
        self._arm()
        try:
            self.send(Quit())
        except EngineGoneError:
            self._disarm()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def kill(self) -> None:
        """Ends it at once."""
        with self._changed:
            self._killed = True
            self._changed.notify_all()

    def _live(self) -> None:
        code = 0
        try:
            self._wait(self.script.start_s, None)
            if self.script.hold_at == "starting":
                self._hold(None)
            if self.script.crash_at == "starting":
                raise _CrashedError
            self._state = EngineState.READY
            self._on_event(Ready(self.script.protocol, "fake", "none", 0))
            while True:
                self._obey(self._next())
        except _CrashedError:
            code = _CRASH
        except _EndedError:
            code = -9 if self._killed else 0
        self._disarm()
        with self._changed:
            self._state = EngineState.DEAD
        self._on_end(Outcome(code, asked=self._asked, killed=self._killed))

    def _next(self) -> Command:
        with self._changed:
            self._changed.wait_for(lambda: self._todo or self._quit or self._killed)
            if self._quit or self._killed:
                raise _EndedError
            return self._todo.pop(0)

    def _obey(self, command: Command) -> None:
        match command:
            case Make():
                ended = self._make(command)
                with self._changed:
                    self._disarm()
                    self._over = command.job
                    if not self._todo:
                        self._state = EngineState.READY
                self._on_event(ended)
            case ReadFacts():
                self._on_event(FactsRead(dict(self.script.facts)))
            case FreeMemory():
                self._on_event(Freed(1_000_000, 0))

    def _make(self, command: Make) -> Event:
        job = command.job
        if self.script.fail_with is not None and len([1 for one in self.commands if isinstance(one, Make)]) == 1:
            return Failed(job, *self.script.fail_with)
        if self.script.warning is not None:
            self._on_event(Noted("warning", self.script.warning))
        if self.script.plan is not None:
            self._on_event(PlanTaken(job, self.script.plan))
        stages = STAGES[:1] if command.order.get("part") == "score" else STAGES
        for stage in stages:
            if self.script.hold_at == stage:
                self._on_event(Progressed(job, stage, 0, self.script.steps, "steps"))
                self._hold(job)
            if self.script.crash_at == stage:
                raise _CrashedError
            for step in range(1, self.script.steps + 1):
                self._wait(self.script.step_s, job)
                if job in self._cancelled:
                    return Failed(job, "cancelled", "Cancelled. What was finished is kept.")
                rate = 1 / self.script.step_s if self.script.step_s else None
                left = (self.script.steps - step) * self.script.step_s
                self._on_event(Progressed(job, stage, step, self.script.steps, "steps", rate, left))
            self._on_event(StageDone(job, stage, self.script.steps * self.script.step_s))
        summary = {} if self._finish is None else self._finish(command.order)
        return Made(job, str(command.order.get("folder", "")), dict(summary))

    def _hold(self, job: int | None) -> None:
        while not self.released.is_set() and job not in self._cancelled:
            self._wait(0.01, job)

    def _wait(self, seconds: float, job: int | None) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._must_end or job in self._cancelled, seconds)
            if self._must_end:
                raise _EndedError

    @property
    def _must_end(self) -> bool:
        return self._killed or (self._quit and self.script.obeys)

    def _arm(self) -> None:
        self._disarm()
        self._deadline = threading.Timer(self.script.patience_s, self.kill)
        self._deadline.daemon = True
        self._deadline.start()

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _CrashedError(Exception):
    """The fake process dies here."""
