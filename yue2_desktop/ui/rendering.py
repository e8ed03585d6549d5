"""The queue at work: what is asked for becomes jobs, one job at a time goes to the engine, and its end is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal, Slot

from yue2_desktop.engine.messages import Failed
from yue2_desktop.queue.job import Job, JobPart, JobState, NewJob
from yue2_desktop.queue.schedule import next_job
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.runtime.driver import EngineFactory
from yue2_desktop.runtime.orders import Places, count_order
from yue2_desktop.runtime.worker import RenderWorker, start_worker, stop_worker
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.song.seeds import fresh_seed
from yue2_desktop.ui.job_endings import Ending, JobEndings
from yue2_desktop.ui.job_order import job_order
from yue2_desktop.ui.job_plan import job_plan
from yue2_desktop.ui.models import no_model
from yue2_desktop.ui.new_jobs import new_jobs
from yue2_desktop.ui.render_again import render_again
from yue2_desktop.ui.standings import Standings

_log = logging.getLogger(__name__)


class Rendering(QObject):
    """Lives in the window's thread. `jobs_changed` carries all jobs in order, the running one with its standing.

    `made` carries a finished job and its folder; `failed` a job and why it failed, `goes_on` one that was broken off
    and why it runs again; `went_wrong` and `warned` a sentence that is about no job. `paused_changed` says whether the
    queue is paused, `engine_changed` an EngineState, `counted` the number of an asking and its tokens, `facts` what the
    engine knows as JSON values, `ready` a `Ready`.
    """

    jobs_changed = Signal(object)
    made = Signal(object, str)
    failed = Signal(object, str)
    goes_on = Signal(object, str)
    paused_changed = Signal(bool)
    went_wrong = Signal(str)
    warned = Signal(str)
    engine_changed = Signal(object)
    counted = Signal(int, object)
    facts = Signal(object)
    ready = Signal(object)

    def __init__(self, store: QueueStore, factory: EngineFactory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._is_paused = store.is_paused
        self._places: Places | None = None
        self._endings = JobEndings(store)
        self._standings = Standings(self)
        self._standings.changed.connect(self._tell_standing)
        self._jobs = store.jobs()
        self._thread: QThread
        self._worker: RenderWorker
        self._thread, self._worker = start_worker(factory)
        worker = self._worker
        worker.state_changed.connect(self.engine_changed)
        worker.progress.connect(self._standings.move)
        worker.stage_done.connect(self._standings.end_stage)
        worker.plan_taken.connect(self._plan_taken)
        worker.made.connect(self._made)
        worker.failed.connect(self._failed)
        worker.interrupted.connect(self._interrupted)
        worker.noted.connect(self._noted)
        worker.counted.connect(self.counted)
        worker.facts.connect(self.facts)
        worker.ready.connect(self.ready)

    def begin(self, places: Places | None) -> None:
        """Renders with what lies at `places`; None while there is no model. Jobs of the last time go on."""
        self._places = places
        for ending in self._endings.from_last_time():
            self._say(ending)
        if places is not None:
            self._worker.start()
        self._go_on()

    def restart(self, factory: EngineFactory) -> None:
        """Another engine, for instance on another card."""
        self._worker.restart(factory)

    def read_facts(self) -> None:
        """Asks the engine for `facts` of the machine and the model."""
        self._worker.read_facts(self._places)

    def count_tokens(self, ask: int, document: SongDocument) -> None:
        """Has the tokens of a song's text counted; from any thread. `counted` has None where nobody can."""
        if self._places is None:
            self.counted.emit(ask, None)
        else:
            self._worker.count_tokens(count_order(ask, document, self._places))

    def jobs(self) -> tuple[Job, ...]:
        """All jobs, the running one with how far it is."""
        return self._standings.shown(self._jobs)

    @property
    def is_paused(self) -> bool:
        """Whether no further job is begun."""
        return self._is_paused  # also once the store is closed: the engine ends after it

    @property
    def running(self) -> Job | None:
        """The job that runs."""
        return next((job for job in self.jobs() if job.state is JobState.RUNNING), None)

    def queue(
        self,
        document: SongDocument,
        count: int,
        folder: Path,
        *,
        part: JobPart = JobPart.TAKE,
        run_anyway: bool = False,
        plan: str = "",
    ) -> SongDocument:
        """Queues takes (or a score) of a song, below `folder`; the document with its seed moved on.

        `plan` is the planner's words for the plan that it has now; the engine tells the one that it follows.
        Raises Problem where the song cannot be asked for, or there is no model.
        """
        if self._places is None:
            raise no_model()
        first = document.seed.first_seed(fresh_seed())
        self._store.add(
            new_jobs(
                document,
                (first, count),
                folder,
                self._places,
                self._store.jobs(),
                part=part,
                run_anyway=run_anyway,
                plan=plan,
            )
        )
        self._go_on()
        return document.after_queueing(first, count)

    def add(self, make: Callable[[Places, Sequence[Job]], NewJob]) -> None:
        """Queues what is made for the model that there is. Raises Problem where there is none, and as `make`."""
        if self._places is None:
            raise no_model()
        self._store.add([make(self._places, self._store.jobs())])
        self._go_on()

    @Slot(int)
    def cancel(self, job: int) -> None:
        """Stops a job that runs, or one that waits; it is acknowledged at once."""
        if self._store.job(job).state is JobState.RUNNING:
            self._stop(job, JobState.CANCELLED)
            return
        self._store.set_state(job, JobState.CANCELLED)
        self._tell()

    @Slot(int)
    def retry(self, job: int, *, run_anyway: bool = False) -> None:
        """Queues a job again that failed or was cancelled; what is on the disk is gone on from.

        One that was refused for not fitting is tried with `run_anyway`.
        """
        was = self._store.job(job)
        refused = was.problem_kind == ProblemKind.DOES_NOT_FIT
        self._store.ask_again(job, {**was.order, "run_anyway": run_anyway} if refused else None)
        self._go_on()

    @Slot(int)
    def pause(self, job: int) -> None:
        """Puts a job aside; one that runs is stopped, and goes on later from what is finished of it."""
        if self._store.job(job).state is JobState.RUNNING:
            self._stop(job, JobState.PAUSED)
        else:
            self._store.set_state(job, JobState.PAUSED)
            self._go_on()

    @Slot(int)
    def resume(self, job: int) -> None:
        """A job that was put aside waits again."""
        self._store.ask_again(job)
        self._go_on()

    @Slot(int)
    def duplicate(self, job: int) -> None:
        """Queues the same render again, with another seed."""
        self._store.add([render_again(self._store.job(job), self._store.jobs())])
        self._go_on()

    @Slot(int)
    def remove(self, job: int) -> None:
        """Takes a job out of the list; its folder stays."""
        self._store.remove(job)
        self._tell()

    @Slot(int, object)
    def move(self, job: int, before: int | None) -> None:
        """Puts a job before another one, or at the end."""
        self._store.move(job, before)
        self._tell()

    @Slot(object)
    def know_numbers(self, highest: Mapping[str, int]) -> None:
        """The library has takes with these numbers, by song; none of them is given again."""
        self._store.know_numbers(highest)

    @Slot(bool)
    def pause_all(self, paused: bool) -> None:
        """No further job is begun, also after a restart; the running one goes on."""
        if paused != self._is_paused:
            self._is_paused = paused
            self._store.set_paused(paused)
            self.paused_changed.emit(paused)
            self._go_on()

    @Slot()
    def free_memory(self) -> None:
        """Drops the weights after the running job."""
        self._worker.free_memory()

    def close(self) -> None:
        """Ends the engine. What runs is kept as interrupted, and goes on at the next start."""
        worker = self._worker
        for signal in (
            worker.made, worker.failed, worker.interrupted, worker.progress, worker.stage_done, worker.plan_taken
        ):  # fmt: skip
            signal.disconnect()
        running = self.running
        self._standings.end()
        if not stop_worker(self._thread, worker):
            _log.error("the engine's thread did not end")
        if running is not None:
            self._store.end(running.id, JobState.INTERRUPTED)
        self._store.close()

    def _stop(self, job: int, then: JobState) -> None:
        self._endings.stop(job, then)
        self._worker.cancel(job)

    def _go_on(self) -> None:
        """Begins the next job, if there is one, and tells how all stand."""
        job = next_job(self._store.jobs(), paused=self._is_paused)
        if job is not None and self._places is not None:
            order = job_order(job, self._places)
            self._store.start(job.id)
            self._standings.begin(job.id)
            self._worker.make(job.id, order)
        self._tell()

    def _over(self, ending: Ending) -> None:
        """The engine has let a job go."""
        self._standings.end()
        self._say(ending)
        self._go_on()

    def _say(self, ending: Ending) -> None:
        if ending.said:
            told = self.failed if ending.job.state is JobState.FAILED else self.goes_on
            told.emit(ending.job, ending.said)

    @Slot()
    def _tell_standing(self) -> None:
        self.jobs_changed.emit(self.jobs())

    @Slot(int, str)
    def _plan_taken(self, job: int, plan: str) -> None:
        self._store.set_plan(job, job_plan(plan, self._store.job(job).order))
        self._tell()

    @Slot(int, str, object)
    def _made(self, job: int, folder: str, summary: Mapping[str, object]) -> None:
        ending = self._endings.made(job)
        self._over(ending)
        self.made.emit(ending.job, folder)

    @Slot(int, object)
    def _failed(self, job: int, failed: Failed) -> None:
        self._over(self._endings.failed(job, failed))

    @Slot(int, object)
    def _interrupted(self, job: int, died: Failed | None) -> None:
        self._over(self._endings.interrupted(job, died))

    @Slot(str, str)
    def _noted(self, level: str, sentence: str) -> None:
        _log.info("engine: %s: %s", level, sentence)
        if level in {"error", "warning"}:
            (self.went_wrong if level == "error" else self.warned).emit(sentence)

    def _tell(self) -> None:
        self._jobs = self._store.jobs()
        self.jobs_changed.emit(self.jobs())
