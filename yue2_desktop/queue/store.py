"""The queue on disk: one SQLite file, written at every change, so that a restart finds it as it was."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Self

from yue2_desktop.queue.job import Job, JobPart, JobState, NewJob
from yue2_desktop.queue.schedule import QueueError, moved, require_step
from yue2_desktop.queue.schema import COLUMNS, prepare
from yue2_desktop.song.errors import Problem, ProblemKind

#: A take of so high a number is not ours.
_NO_NUMBER: Final = 1_000_000_000


class QueueStore:
    """The jobs in order. All methods are for one thread; each change is one transaction.

    Raises Problem(BAD_FILE) when the file is no queue, QueueError for a step that a job's state does not allow.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], float] = time.time) -> None:
        self._db = connection
        self._clock = clock

    @classmethod
    def open(cls, path: Path, clock: Callable[[], float] = time.time) -> Self:
        """Opens or makes the store; a job that was running when the program ended becomes `interrupted`."""
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            prepare(connection)
        except (sqlite3.DatabaseError, Problem) as error:
            connection.close()
            reason = error.sentence if isinstance(error, Problem) else str(error)
            raise Problem(
                ProblemKind.BAD_FILE,
                f"The render queue {path} cannot be read ({reason}). Move the file away to begin with an empty queue; "
                "finished takes are not in it and stay where they are.",
                path=str(path),
            ) from error
        store = cls(connection, clock)
        with store._change():
            connection.execute(
                "update job set state = ?, breaks = breaks + 1 where state = ?",
                (JobState.INTERRUPTED.value, JobState.RUNNING.value),
            )
        return store

    def close(self) -> None:
        self._db.close()

    @property
    def is_paused(self) -> bool:
        """Whether no job is to be begun."""
        return bool(self._db.execute("select is_paused from whole").fetchone()[0])

    def set_paused(self, paused: bool) -> None:
        """Keeps whether jobs are to be begun, also for the next start."""
        with self._change():
            self._db.execute("update whole set is_paused = ?", (int(paused),))

    def jobs(self) -> tuple[Job, ...]:
        """All jobs in the order of the queue."""
        with closing(self._db.execute(f"select {COLUMNS} from job order by place, id")) as rows:  # noqa: S608
            return tuple(_job(row) for row in rows)

    def job(self, job: int) -> Job:
        """One job. Raises QueueError when there is none of that id."""
        row = self._db.execute(f"select {COLUMNS} from job where id = ?", (job,)).fetchone()  # noqa: S608
        if row is None:
            raise QueueError(f"there is no job {job}")
        return _job(row)

    def add(self, new: Sequence[NewJob]) -> tuple[Job, ...]:
        """Puts jobs behind the others, all or none; takes of a song are counted on, and so are its scores.

        A number is never given twice, though its job was removed.
        """
        ids: list[int] = []
        with self._change():
            for job in new:
                (place,) = self._db.execute("select coalesce(max(place), 0) + 1 from job").fetchone()
                take = self._number(job)
                cursor = self._db.execute(
                    "insert into job (place, song, title, take, seed, part, folder, orders, state, plan, "
                    "problem_kind, problem, created) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', ?)",
                    (
                        place, job.song, job.title, take, job.seed, job.part.value, job.folder,
                        _written(job.order),
                        JobState.WAITING.value, job.plan, self._clock(),
                    ),
                )  # fmt: skip
                ids.append(int(cursor.lastrowid or 0))
        return tuple(self.job(job) for job in ids)

    def know_numbers(self, highest: Mapping[str, int]) -> None:
        """There are takes with these numbers, by song: the next ones are above them, whatever this file says.

        The library knows of takes that were queued from another file, or before this one was lost.
        """
        with self._change():
            for song, number in highest.items():
                if 0 < number < _NO_NUMBER:
                    self._raise_number(song, JobPart.TAKE, number)

    def _number(self, job: NewJob) -> int:
        if job.take is None:
            return self._next_number(job.song, job.part)
        self._raise_number(job.song, job.part, job.take)
        return job.take

    def _next_number(self, song: str, part: JobPart) -> int:
        row = self._db.execute("select highest from number where song = ? and part = ?", (song, part.value)).fetchone()
        number = 1 if row is None else int(row[0]) + 1
        self._raise_number(song, part, number)
        return number

    def _raise_number(self, song: str, part: JobPart, number: int) -> None:
        self._db.execute(
            "insert into number (song, part, highest) values (?, ?, ?) "
            "on conflict (song, part) do update set highest = max(highest, excluded.highest)",
            (song, part.value, number),
        )

    def start(self, job: int) -> Job:
        """The job runs from now on. Raises QueueError when another one does."""
        with self._change():
            running = self._db.execute("select id from job where state = ?", (JobState.RUNNING.value,)).fetchone()
            if running is not None:
                raise QueueError(f"job {running[0]} runs already")
            self._step(job, JobState.RUNNING)
            self._db.execute(
                "update job set started = ?, ended = null, problem = '', problem_kind = '' where id = ?",
                (self._clock(), job),
            )
        return self.job(job)

    def end(self, job: int, state: JobState, *, problem_kind: str = "", problem: str = "") -> Job:
        """The running job is over, or put aside: done, failed, cancelled, paused or interrupted."""
        with self._change():
            self._step(job, state)
            self._db.execute(
                "update job set ended = ?, problem_kind = ?, problem = ? where id = ?",
                (self._clock(), problem_kind, problem, job),
            )
        return self.job(job)

    def break_off(self, job: int) -> Job:
        """The engine died under the running job: it is interrupted, and that is counted."""
        with self._change():
            self._step(job, JobState.INTERRUPTED)
            self._db.execute("update job set ended = ?, breaks = breaks + 1 where id = ?", (self._clock(), job))
        return self.job(job)

    def ask_again(self, job: int, order: Mapping[str, object] | None = None) -> Job:
        """The user wants a job that is over, or was put aside, to wait again; with another order, where one is given.

        What broke off before counts no more. Raises QueueError.
        """
        with self._change():
            self._step(job, JobState.WAITING)
            self._db.execute("update job set breaks = 0 where id = ?", (job,))
            if order is not None:
                self._db.execute("update job set orders = ? where id = ?", (_written(order), job))
        return self.job(job)

    def set_plan(self, job: int, plan: str) -> Job:
        """Keeps the plan that a job is made by, in words."""
        with self._change():
            self._db.execute("update job set plan = ? where id = ?", (plan, job))
        return self.job(job)

    def set_state(self, job: int, state: JobState) -> Job:
        """Pause or cancel a job that does not run, or let it wait again unasked. Raises QueueError."""
        with self._change():
            self._step(job, state)
        return self.job(job)

    def move(self, job: int, before: int | None) -> None:
        """Puts a job before another one, or at the end."""
        with self._change():
            order = [row[0] for row in self._db.execute("select id from job order by place, id")]
            for place, other in enumerate(moved(order, job, before), 1):
                self._db.execute("update job set place = ? where id = ?", (place, other))

    def remove(self, job: int) -> None:
        """Takes a job out of the list; its folder stays. Raises QueueError for one that runs."""
        if self.job(job).state is JobState.RUNNING:
            raise QueueError(f"job {job} runs; cancel it first")
        with self._change():
            self._db.execute("delete from job where id = ?", (job,))

    def _step(self, job: int, state: JobState) -> None:
        require_step(self.job(job), state)
        self._db.execute("update job set state = ? where id = ?", (state.value, job))

    @contextmanager
    def _change(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")


def _written(order: Mapping[str, object]) -> str:
    return json.dumps(dict(order), ensure_ascii=False, allow_nan=False)


def _job(row: tuple[object, ...]) -> Job:
    values = dict(zip(COLUMNS.split(", "), row, strict=True))
    try:
        order = json.loads(str(values.pop("orders")))
        if not isinstance(order, dict):
            raise TypeError("not an object")
        return Job(
            **{
                **values,
                "order": _frozen(order),
                "part": JobPart(str(values["part"])),
                "state": JobState(str(values["state"])),
            }  # type: ignore[arg-type]
        )
    except (ValueError, TypeError) as error:
        raise Problem(
            ProblemKind.BAD_FILE, f"Job {values.get('id')} of the render queue is damaged ({error}). Remove it."
        ) from error


def _frozen(order: dict[str, object]) -> Mapping[str, object]:
    return order
