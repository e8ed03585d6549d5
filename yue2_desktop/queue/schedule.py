"""What runs next, and what may be done to a job, as pure functions over the list of jobs."""

from __future__ import annotations

from collections.abc import Sequence

from yue2_desktop.queue.job import FOLLOWS, Job, JobState


class QueueError(Exception):
    """A change that a job's state does not allow: a mistake of the caller."""


def next_job(jobs: Sequence[Job], *, paused: bool) -> Job | None:
    """The job to start now: the first that waits, if none runs and the queue is not paused."""
    if paused or any(job.state is JobState.RUNNING for job in jobs):
        return None
    return next((job for job in jobs if job.state is JobState.WAITING), None)


def goes_on_unasked(job: Job) -> bool:
    """Whether an interrupted job runs again by itself: after one break, since it may be what ends engine or machine."""
    return job.breaks <= 1


def require_step(job: Job, state: JobState) -> None:
    """Raises QueueError when `state` cannot follow the job's own."""
    if state not in FOLLOWS[job.state]:
        raise QueueError(f"job {job.id} is {job.state}; it cannot become {state}")


def moved(order: Sequence[int], job: int, before: int | None) -> tuple[int, ...]:
    """Job ids in their new order, with `job` put before another, or at the end. Raises QueueError for unknown ids."""
    if job not in order or (before is not None and before not in order):
        raise QueueError("a job that is not in the queue cannot be moved")
    rest = [other for other in order if other != job]
    place = rest.index(before) if before is not None and before != job else len(rest)
    if before == job:
        return tuple(order)
    return (*rest[:place], job, *rest[place:])


def remaining_seconds(jobs: Sequence[Job], seconds_a_job: float | None) -> float | None:
    """How long the queue still takes: the running job's own rest, and `seconds_a_job` for each that waits."""
    rest = 0.0
    for job in jobs:
        if job.state is JobState.RUNNING:
            left = job.standing.remaining_s if job.standing is not None else None
            if left is None:
                return None
            rest += left
        elif job.state is JobState.WAITING:
            if seconds_a_job is None:
                return None
            rest += seconds_a_job
    return rest
