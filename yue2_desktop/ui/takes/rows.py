"""The rows of the list, as values: renders that are queued first, then takes, and how a list becomes another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from yue2_desktop.library.take_summary import TakeSummary
from yue2_desktop.queue.job import Job, JobStanding, JobState


class Scope(StrEnum):
    """Whose takes are listed."""

    SONG = "song"
    ALL = "all"
    STARRED = "starred"


@dataclass(frozen=True)
class TakeRow:
    """A take on the disk."""

    take: TakeSummary

    @property
    def key(self) -> str:
        """What tells the row from all others, whatever changes in it."""
        return f"take {self.take.folder}"

    @property
    def folder(self) -> Path:
        """Where the take is."""
        return self.take.folder

    @property
    def has_sound(self) -> bool:
        """Whether it can be played."""
        return self.take.audio is not None


@dataclass(frozen=True)
class JobRow:
    """A render that is queued. `standing` is compared, as that of a Job is not; `cancelling` is not in the queue.

    `is_held` says that the queue is paused, so that a job that waits is not begun.
    """

    job: Job
    standing: JobStanding | None = field(default=None)
    cancelling: bool = False
    is_held: bool = False

    @property
    def key(self) -> str:
        """What tells the row from all others, whatever changes in it."""
        return f"job {self.job.id}"

    @property
    def can_move(self) -> bool:
        """Whether its place in the queue means something."""
        return self.job.state in {JobState.WAITING, JobState.PAUSED, JobState.INTERRUPTED}


Row = TakeRow | JobRow


def rows_of(
    takes: Iterable[TakeSummary],
    jobs: Iterable[Job],
    *,
    scope: Scope,
    song: str,
    cancelling: frozenset[int] = frozenset(),
    paused: bool = False,
) -> tuple[Row, ...]:
    """Jobs that are not done in the order of the queue, then takes as they come.

    A job stands for the folder that it makes, so that nothing is listed twice. With Scope.SONG jobs of other songs
    are left out, unless they run: what the machine does is always in view. `paused` is the queue.
    """
    queued = [job for job in jobs if job.state is not JobState.DONE]
    running = JobState.RUNNING
    shown = [job for job in queued if scope is not Scope.SONG or job.song == song or job.state is running]
    shown.sort(key=lambda job: job.state is not running)
    made = {Path(job.folder) for job in queued if not job.state.is_over}
    return (
        *(
            JobRow(
                job,
                job.standing,
                cancelling=job.state is running and job.id in cancelling,
                is_held=paused and job.state is JobState.WAITING,
            )
            for job in shown
        ),
        *(TakeRow(take) for take in takes if take.folder not in made),
    )


def neighbour_below(rows: Sequence[Row], job: int) -> int | None:
    """The job after the one that follows `job`, which it is put before to go down one place; None for the end."""
    movable = [row.job.id for row in rows if isinstance(row, JobRow) and row.can_move]
    place = movable.index(job)
    return movable[place + 2] if place + 2 < len(movable) else None


def neighbour_above(rows: Sequence[Row], job: int) -> int | None:
    """The job before `job`, which it is put before to go up one place; None where it is the first."""
    movable = [row.job.id for row in rows if isinstance(row, JobRow) and row.can_move]
    place = movable.index(job)
    return movable[place - 1] if place > 0 else None


def is_last(rows: Sequence[Row], job: int) -> bool:
    """Whether `job` waits at the end."""
    movable = [row.job.id for row in rows if isinstance(row, JobRow) and row.can_move]
    return not movable or movable[-1] == job
