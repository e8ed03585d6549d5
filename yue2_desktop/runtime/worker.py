"""The engine as the window has it: signals for what happens, methods that may be called from the window's thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QThread, Signal, Slot

from yue2_desktop.engine.messages import CountTokens, Event, Make
from yue2_desktop.runtime.driver import EngineDriver, EngineFactory, Outlets
from yue2_desktop.runtime.engine_process import PATIENCE_S, EngineState
from yue2_desktop.runtime.orders import Places, facts_order
from yue2_desktop.runtime.outcome import Outcome

_log = logging.getLogger(__name__)

#: What the end may take: the engine's patience for the job, and for itself.
_FAREWELL_MS: Final = int(3 * PATIENCE_S * 1000)


@dataclass(frozen=True)
class _Asked:
    """Something to do on the worker's own thread."""

    action: Callable[[], None]


class RenderWorker(QObject):
    """Drives one engine at a time; lives in a QThread of its own, see `start_worker`.

    Its public methods only ask and may be called from any thread. Connect its signals to bound `@Slot` methods only
    (qt-and-packaging, trap 4). A job that cannot run yet (the engine starts, or another job is being stopped) waits
    here and runs as soon as it can.
    """

    #: An EngineState.
    state_changed = Signal(object)
    #: A `Ready`: torch is imported.
    ready = Signal(object)
    #: What the machine has, as JSON values.
    facts = Signal(object)
    #: Job, JobStanding.
    progress = Signal(int, object)
    #: Job, the plan that it follows, in words.
    plan_taken = Signal(int, str)
    #: Job, stage, seconds.
    stage_done = Signal(int, str, float)
    #: Job, folder, summary as JSON values.
    made = Signal(int, str, object)
    #: Job, `Failed`; its kind is `cancelled` for a job that was stopped.
    failed = Signal(int, object)
    #: Job, `Failed`: the engine, or the card, died under it; None where another engine was asked for. What is on the
    #: disk can be gone on from.
    interrupted = Signal(int, object)
    #: A `Freed`.
    freed = Signal(object)
    #: Number of an asking, tokens or None.
    counted = Signal(int, object)
    #: Level (`info`, `warning`, `error`), a sentence.
    noted = Signal(str, str)
    #: An Outcome, each time an engine has ended.
    ended = Signal(object)

    _asked = Signal(object)
    _heard = Signal(int, object)
    _over = Signal(int, object)

    def __init__(self, factory: EngineFactory) -> None:
        super().__init__()
        self._driver = EngineDriver(
            factory,
            Outlets(
                heard=self._heard.emit,
                over=self._over.emit,
                state_changed=self.state_changed.emit,
                ready=self.ready.emit,
                facts=self.facts.emit,
                progress=self.progress.emit,
                plan_taken=self.plan_taken.emit,
                stage_done=self.stage_done.emit,
                made=self.made.emit,
                failed=self.failed.emit,
                interrupted=self.interrupted.emit,
                freed=self.freed.emit,
                counted=self.counted.emit,
                noted=self.noted.emit,
                ended=self.ended.emit,
            ),
        )
        self._asked.connect(self._do)
        self._heard.connect(self._hear)
        self._over.connect(self._end)

    @property
    def state(self) -> EngineState:
        """As last told by `state_changed`."""
        return self._driver.state

    def start(self) -> None:
        """Starts the engine if there is none."""
        self._asked.emit(_Asked(self._driver.start))

    def make(self, job: int, order: Mapping[str, object]) -> None:
        """Makes a take, as soon as nothing else runs."""
        self._asked.emit(_Asked(partial(self._driver.make, Make(job, order))))

    def cancel(self, job: int) -> None:
        """Stops a job, or takes it out of those that wait."""
        self._asked.emit(_Asked(partial(self._driver.cancel, job)))

    def read_facts(self, places: Places | None = None) -> None:
        """Asks for `facts` of the machine and the model; they come once the engine is ready."""
        self._asked.emit(_Asked(partial(self._driver.read_facts, facts_order(places))))

    def free_memory(self) -> None:
        """Drops the weights after the running job; `freed` tells."""
        self._asked.emit(_Asked(self._driver.free_memory))

    def count_tokens(self, command: CountTokens) -> None:
        """Has tokens counted; `counted` tells."""
        self._asked.emit(_Asked(partial(self._driver.count_tokens, command)))

    def restart(self, factory: EngineFactory | None = None) -> None:
        """Ends the engine and starts another one, for instance on another card; a running job is interrupted."""
        self._asked.emit(_Asked(partial(self._driver.restart, factory)))

    def close(self) -> None:
        """Ends the engine, and then the worker's thread."""
        self._asked.emit(_Asked(self._close))

    @Slot(object)
    def _do(self, asked: _Asked) -> None:
        asked.action()

    @Slot(int, object)
    def _hear(self, number: int, event: Event) -> None:
        self._driver.hear(number, event)

    @Slot(int, object)
    def _end(self, number: int, outcome: Outcome) -> None:
        self._driver.end(number, outcome)

    def _close(self) -> None:
        self._driver.close()
        thread = self.thread()
        application = QCoreApplication.instance()
        if application is not None:
            # The thread is about to end; the object is to be let go by the window's.
            self.moveToThread(application.thread())
        thread.quit()


def start_worker(factory: EngineFactory) -> tuple[QThread, RenderWorker]:
    """A worker in a running thread; its engine starts with the first thing that is asked of it. End it by
    `stop_worker`.
    """
    thread = QThread()
    thread.setObjectName("render worker")
    worker = RenderWorker(factory)
    worker.moveToThread(thread)
    thread.start()
    return thread, worker


def stop_worker(thread: QThread, worker: RenderWorker) -> bool:
    """Ends engine and thread, whatever they do, and waits for both; False if the thread would not end in time."""
    if not thread.isRunning():
        return True
    worker.close()
    if thread.wait(_FAREWELL_MS):
        return True
    _log.error("the worker's thread does not end")
    thread.quit()
    return thread.wait(_FAREWELL_MS)
