"""One engine at a time, kept alive: which job runs and which wait, what is told of them. Knows no Qt."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from yue2_desktop.engine.messages import (
    VERSION,
    CountTokens,
    Event,
    FactsRead,
    Failed,
    Freed,
    FreeMemory,
    Made,
    Make,
    MessageError,
    Noted,
    PlanTaken,
    Progressed,
    ReadFacts,
    Ready,
    StageDone,
    TokensCounted,
)
from yue2_desktop.queue.job import JobStanding
from yue2_desktop.runtime.engine_process import Engine, EngineGoneError, EngineState
from yue2_desktop.runtime.outcome import Outcome
from yue2_desktop.song.errors import ProblemKind

_log = logging.getLogger(__name__)

#: Makes an engine that is not started yet; the callbacks may be called from any thread.
EngineFactory = Callable[[Callable[[Event], None], Callable[[Outcome], None]], Engine]


@dataclass(frozen=True)
class Outlets:
    """Who is told what; see the signals of the same names in runtime/worker.py.

    `heard` and `over` are called on threads of the engine with the engine's number, and are to bring what they get to
    `EngineDriver.hear` and `.end` on the driver's own thread.
    """

    heard: Callable[[int, Event], None]
    over: Callable[[int, Outcome], None]
    state_changed: Callable[[EngineState], None]
    ready: Callable[[Ready], None]
    facts: Callable[[Mapping[str, object]], None]
    progress: Callable[[int, JobStanding], None]
    plan_taken: Callable[[int, str], None]
    stage_done: Callable[[int, str, float], None]
    made: Callable[[int, str, Mapping[str, object]], None]
    failed: Callable[[int, Failed], None]
    interrupted: Callable[[int, Failed | None], None]
    freed: Callable[[Freed], None]
    counted: Callable[[int, int | None], None]
    noted: Callable[[str, str], None]
    ended: Callable[[Outcome], None]


class EngineDriver:
    """Starts the engine when it is needed, and another one when it is gone. All methods are for one thread.

    A job that cannot run yet (the engine starts, or another job is being stopped) waits here.
    """

    def __init__(self, factory: EngineFactory, outlets: Outlets) -> None:
        self._factory = factory
        self._out = outlets
        self._engine: Engine | None = None
        self._number = 0
        self._was_ready = self._restarting = self._closed = False
        self._running: int | None = None
        self._stopping = False
        self._waiting: list[Make] = []
        self._wants_facts: ReadFacts | None = None
        #: As last told.
        self.state = EngineState.IDLE

    def start(self) -> None:
        """Starts the engine if there is none; never again once it was closed."""
        if self._engine is not None or self._closed:
            return
        if self._number:
            self._out.noted("info", "The engine is started again.")
        self._number += 1
        self._was_ready = False
        number = self._number
        # The callbacks come on threads of the engine; a signal is made of them.
        self._engine = self._factory(partial(self._out.heard, number), partial(self._out.over, number))
        self._tell(EngineState.STARTING)
        self._engine.start()

    def make(self, command: Make) -> None:
        """Runs a job as soon as nothing else runs."""
        self._waiting.append(command)
        self._go_on()

    def _go_on(self) -> None:
        """Runs the next job that waits, if nothing runs."""
        if self._running is not None or not self._waiting or self._restarting:
            return
        if self._engine is None:
            self.start()
        elif self._was_ready:
            command = self._waiting[0]
            try:
                self._engine.send(command)
            except EngineGoneError as gone:
                _log.info("a job waits for the next engine: %s", gone)  # its end is about to be heard
                return
            except MessageError as error:
                del self._waiting[0]
                sentence = f"The render order cannot be told to the engine ({error})."
                self._out.failed(command.job, Failed(command.job, ProblemKind.BAD_REQUEST.value, sentence))
                self._go_on()
                return
            del self._waiting[0]
            self._running, self._stopping = command.job, False
            self._tell(EngineState.BUSY)

    def cancel(self, job: int) -> None:
        """Stops the running job, or takes one out of those that wait; others are left alone."""
        if job == self._running:
            if not self._stopping and self._engine is not None:
                self._stopping = True
                self._tell(EngineState.STOPPING)
                self._engine.cancel(job)
            return
        before = len(self._waiting)
        self._waiting = [command for command in self._waiting if command.job != job]
        if len(self._waiting) < before:
            self._out.failed(job, Failed(job, ProblemKind.CANCELLED.value, "Cancelled before it began."))

    def read_facts(self, command: ReadFacts) -> None:
        """Asks for the facts, of an engine that is ready or will be."""
        self._wants_facts = command
        self.start()
        if self._was_ready and self._say(command):
            self._wants_facts = None

    def free_memory(self) -> None:
        """Drops the weights."""
        if not self._was_ready or not self._say(FreeMemory()):
            self._out.freed(Freed(0, 0))  # where no engine is, no weights are

    def count_tokens(self, command: CountTokens) -> None:
        """Has tokens counted; where no engine is ready, the answer is that nobody knows."""
        try:
            said = self._was_ready and self._say(command)
        except MessageError as error:
            _log.info("tokens are not counted: %s", error)
            said = False
        if not said:
            self._out.counted(command.ask, None)

    def restart(self, factory: EngineFactory | None) -> None:
        """Ends the engine and starts another; a running job is interrupted. Returns when the old one is gone."""
        self._factory = factory or self._factory
        if self._engine is None:
            self.start()
            return
        self._restarting = True
        self._tell(EngineState.STOPPING)
        self._engine.stop()  # its end comes through `end`, which starts the next one

    def close(self) -> None:
        """Ends the engine for good. Returns when it is gone."""
        self._closed = True
        if self._engine is not None:
            self._tell(EngineState.STOPPING)
            self._engine.stop()
            self._engine = None
        self._tell(EngineState.DEAD)

    def _say(self, command: ReadFacts | FreeMemory | CountTokens) -> bool:
        if self._engine is None:
            return False
        try:
            self._engine.send(command)
        except EngineGoneError as gone:
            _log.info("%s: %s", type(command).__name__, gone)
            return False
        return True

    def hear(self, number: int, event: Event) -> None:
        """What the engine of that number said."""
        if self._closed or number != self._number:
            return
        match event:
            case Ready():
                self._is_ready(event)
            case Progressed() if event.job == self._running:
                standing = JobStanding(event.stage, event.done, event.total, event.unit, event.rate, event.remaining_s)
                self._out.progress(event.job, standing)
            case PlanTaken() if event.job == self._running:
                self._out.plan_taken(event.job, event.plan)
            case StageDone() if event.job == self._running:
                self._out.stage_done(event.job, event.stage, event.seconds)
            case Made() if event.job == self._running:
                self._job_is_over()
                self._out.made(event.job, event.folder, event.summary)
                self._go_on()
            case Failed(kind=ProblemKind.DEVICE_LOST) if event.job == self._running:
                # The card comes back to a new process only (user-reports.md, row 40).
                self._job_is_over()
                self._out.interrupted(event.job, event)
                self.restart(None)
            case Failed() if event.job == self._running:
                self._job_is_over()
                self._out.failed(event.job, event)
                self._go_on()
            case FactsRead():
                self._out.facts(event.facts)
            case TokensCounted():
                self._out.counted(event.ask, event.tokens)
            case Freed():
                self._out.freed(event)
            case Noted():
                self._out.noted(event.level, event.text)
            case _:
                _log.info("not expected of the engine: %s", event)

    def _is_ready(self, event: Ready) -> None:
        if event.protocol != VERSION:
            sentence = (
                f"The engine speaks version {event.protocol} of the protocol and the window {VERSION}; "
                "install both from the same release."
            )
            self._out.noted("error", sentence)
            self._give_up(sentence)
            if self._engine is not None:
                self._engine.stop()
            return
        self._was_ready = True
        self._tell(EngineState.READY)
        self._out.ready(event)
        if self._wants_facts is not None and self._say(self._wants_facts):
            self._wants_facts = None
        self._go_on()

    def _job_is_over(self) -> None:
        self._running, self._stopping = None, False
        self._tell(EngineState.READY)

    def end(self, number: int, outcome: Outcome) -> None:
        """The engine of that number has ended."""
        if self._closed or number != self._number:
            return
        self._engine = None
        started, self._was_ready = self._was_ready, False
        running, self._running = self._running, None
        stopping, self._stopping = self._stopping, False
        again, self._restarting = self._restarting, False
        self._tell(EngineState.DEAD)
        if outcome.sentence:
            _log.warning("%s", outcome.sentence)
        if running is not None and stopping:
            sentence = f"Cancelled. {outcome.sentence} What was finished is kept.".replace("  ", " ")
            self._out.failed(running, Failed(running, ProblemKind.CANCELLED.value, sentence))
        elif running is not None:
            sentence = "" if again else outcome.sentence
            died = Failed(running, ProblemKind.ENGINE_DIED.value, sentence) if sentence else None
            self._out.interrupted(running, died)
        self._out.ended(outcome)
        if again:
            self.start()
        elif not started and outcome.sentence:
            # It would only end again; the next job, or `start`, tries once more.
            self._give_up(outcome.sentence)
        else:
            self._go_on()

    def _give_up(self, sentence: str) -> None:
        waiting, self._waiting = self._waiting, []
        for command in waiting:
            self._out.failed(command.job, Failed(command.job, ProblemKind.ENGINE_DIED.value, sentence))

    def _tell(self, state: EngineState) -> None:
        if state is not self.state:
            self.state = state
            self._out.state_changed(state)
