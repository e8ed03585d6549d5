"""One render in the queue, as a value: what is to be made, where, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class JobState(StrEnum):
    """How a job stands. `interrupted` is a job that was running when the program ended."""

    WAITING = "waiting"
    PAUSED = "paused"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens to the job by itself."""
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


#: Which state may follow which; everything else is a mistake of the program.
FOLLOWS: Mapping[JobState, frozenset[JobState]] = {
    JobState.WAITING: frozenset({JobState.RUNNING, JobState.PAUSED, JobState.CANCELLED}),
    JobState.PAUSED: frozenset({JobState.WAITING, JobState.CANCELLED}),
    JobState.RUNNING: frozenset({
        JobState.DONE,
        JobState.FAILED,
        JobState.CANCELLED,
        JobState.PAUSED,
        JobState.INTERRUPTED,
    }),
    JobState.INTERRUPTED: frozenset({JobState.WAITING, JobState.FAILED, JobState.CANCELLED}),
    JobState.FAILED: frozenset({JobState.WAITING}),
    JobState.CANCELLED: frozenset({JobState.WAITING}),
    JobState.DONE: frozenset(),
}


class JobPart(StrEnum):
    """How far a job goes: a score only, or a whole take."""

    SCORE = "score"
    TAKE = "take"


@dataclass(frozen=True)
class JobStanding:
    """How far a running job is: stage name, `done` of `total` in `unit`, units a second and seconds left if known.

    `still_s` is for how many seconds nothing has moved, once that is longer than it should be; None while it moves.
    """

    stage: str
    done: int
    total: int
    unit: str
    rate: float | None = None
    remaining_s: float | None = None
    still_s: int | None = None


@dataclass(frozen=True)
class Job:
    """A render. `order` is what the engine is told, as plain JSON values; the queue does not look into it.

    `song` is the song's id and `title` its name at the time; `take` counts the takes of a song from 1, and its scores
    by themselves; `folder` is where the take is made. `plan` is how it is made, in words, as it was foreseen or, once
    the engine has told it, as it is; empty where nobody knows. `problem_kind` and `problem` say why a job failed. Times
    are seconds since the epoch. `breaks` is how often the engine, or the program, died under it since somebody asked
    for it.
    """

    id: int
    song: str
    title: str
    take: int
    seed: int
    part: JobPart
    folder: str
    order: Mapping[str, object]
    state: JobState = JobState.WAITING
    plan: str = ""
    problem_kind: str = ""
    problem: str = ""
    created: float = 0.0
    started: float | None = None
    ended: float | None = None
    breaks: int = 0
    standing: JobStanding | None = field(default=None, compare=False)


@dataclass(frozen=True)
class NewJob:
    """A render that is about to be queued: a `Job` without what the queue gives it.

    `take` is the number that it has already, as the rest of a take; None for the next one.
    """

    song: str
    title: str
    seed: int
    part: JobPart
    folder: str
    order: Mapping[str, object]
    plan: str = ""
    take: int | None = None
