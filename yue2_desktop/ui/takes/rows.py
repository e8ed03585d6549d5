"""The rows of the list, as values: renders that are queued first, then takes, and how a list becomes another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from yue2_desktop.library.names import TakeStage
from yue2_desktop.library.take_summary import TakeState, TakeSummary
from yue2_desktop.queue.job import Job, JobStanding, JobState
from yue2_desktop.song.render_settings import FINAL_STEPS

#: How a take stands whose making was broken off, and can be gone on with.
_BROKEN_OFF: Final = frozenset({TakeState.BEGUN, TakeState.CANCELLED, TakeState.FAILED})
#: What a take has come to once its tokens are there.
_SUNG: Final = frozenset({TakeStage.SEMANTIC, TakeStage.LATENTS, TakeStage.AUDIO})


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
        return take_key(self.take.folder)

    @property
    def folder(self) -> Path:
        """Where the take is."""
        return self.take.folder

    @property
    def has_sound(self) -> bool:
        """Whether it can be played."""
        return self.take.audio is not None

    @property
    def button(self) -> str:
        """What its button does, by name; empty where it has none."""
        if self.has_sound:
            return "play"
        return "finish" if self.can_go_on else ""

    @property
    def can_go_on(self) -> bool:
        """Whether its making was broken off, so that the rest of it can be made."""
        return self.take.state in _BROKEN_OFF

    @property
    def can_be_final(self) -> bool:
        """Whether its tokens are there, and its sound can be refined in more steps than it was asked for with."""
        take = self.take
        is_rough = take.ode_steps is not None and take.ode_steps < FINAL_STEPS
        return is_rough and take.last in _SUNG and take.state is not TakeState.DAMAGED


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
        return job_key(self.job.id)

    @property
    def button(self) -> str:
        """What its button does, by name; empty where it has none."""
        if self.cancelling:
            return ""
        return "retry" if self.job.state.is_over else "cancel"

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
    tried = {Path(job.folder) for job in shown if job.state.is_over}
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
        *(TakeRow(one) for one in takes if one.folder not in made and (one.folder not in tried or one.audio)),
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


def meant(name: str, row: Row, chosen: Sequence[Row]) -> tuple[Row, ...]:
    """The rows that are cancelled or removed, by that name, where it is wished of `row` and `chosen` are selected.

    Each of them can be; from the bottom, so that nothing that waits begins before its own turn has come.
    """
    if row not in chosen:
        return (row,)
    over = name == "remove"
    alike = [one for one in chosen if isinstance(one, JobRow) and one.button and one.job.state.is_over == over]
    return tuple(reversed(alike))


def is_last(rows: Sequence[Row], job: int) -> bool:
    """Whether `job` waits at the end."""
    movable = [row.job.id for row in rows if isinstance(row, JobRow) and row.can_move]
    return not movable or movable[-1] == job


def take_key(folder: Path | str) -> str:
    """The key of a take's row."""
    return f"take {folder}"


def job_key(job: int) -> str:
    """The key of a render's row."""
    return f"job {job}"
