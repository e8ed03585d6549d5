"""What becomes of a job that the engine has let go: done, failed, put aside, or taken up again once by itself."""

from __future__ import annotations

from dataclasses import dataclass

from yue2_desktop.engine.messages import Failed
from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.queue.schedule import goes_on_unasked
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.ui.fault_words import fault_words, going_on_words, left_behind
from yue2_desktop.ui.window_words import in_window_words


@dataclass(frozen=True)
class Ending:
    """A job as it is now, and what is to be said of it; empty for nothing."""

    job: Job
    said: str = ""


class JobEndings:
    """Keeps in the queue how jobs end. One of them runs at a time."""

    def __init__(self, store: QueueStore) -> None:
        self._store = store
        self._stopping: tuple[int, JobState] | None = None

    def stop(self, job: int, then: JobState) -> None:
        """The engine is asked to let the running job go, which is to be cancelled or paused then."""
        self._stopping = (job, then)

    def made(self, job: int) -> Ending:
        """The job is done."""
        self._wanted(job)
        return Ending(self._store.end(job, JobState.DONE))

    def failed(self, job: int, failed: Failed) -> Ending:
        """The engine gave the job up, by itself or as it was asked to."""
        wanted = self._wanted(job)
        if failed.kind != ProblemKind.CANCELLED:
            return self._fail(job, failed)
        if wanted is JobState.PAUSED:
            return Ending(self._store.end(job, wanted))
        said = in_window_words(failed.sentence)
        return Ending(self._store.end(job, JobState.CANCELLED, problem_kind=failed.kind, problem=said))

    def interrupted(self, job: int, died: Failed | None) -> Ending:
        """The engine ended under the job; `died` is None where another engine was asked for."""
        wanted = self._wanted(job)
        if wanted is not None:  # it was dead before it heard of that
            return Ending(self._store.end(job, wanted))
        if died is None:
            self._store.end(job, JobState.INTERRUPTED)
            return Ending(self._store.set_state(job, JobState.WAITING))
        ending = self._take_up(self._store.break_off(job), died)
        if ending.said:
            return ending
        return Ending(ending.job, going_on_words(ending.job, died, paused=self._store.is_paused))

    def from_last_time(self) -> tuple[Ending, ...]:
        """The jobs that ran when the program ended."""
        jobs = [job for job in self._store.jobs() if job.state is JobState.INTERRUPTED]
        return tuple(self._take_up(job, left_behind(job)) for job in jobs)

    def _wanted(self, job: int) -> JobState | None:
        """What the job was to become, where it was stopped."""
        stopping, self._stopping = self._stopping, None
        return stopping[1] if stopping is not None and stopping[0] == job else None

    def _take_up(self, job: Job, died: Failed) -> Ending:
        """The interrupted job waits again; one that has broken off before waits for the user."""
        if goes_on_unasked(job):
            return Ending(self._store.set_state(job.id, JobState.WAITING))
        return self._fail(job.id, died)

    def _fail(self, job: int, failed: Failed) -> Ending:
        words = fault_words(self._store.job(job), failed)
        ended = self._store.end(job, JobState.FAILED, problem_kind=failed.kind, problem=words.row)
        return Ending(ended, words.notice)
