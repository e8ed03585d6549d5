"""The queue's states, order and store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from yue2_desktop.queue.job import FOLLOWS, Job, JobPart, JobStanding, JobState, NewJob
from yue2_desktop.queue.schedule import (
    QueueError,
    goes_on_unasked,
    moved,
    next_job,
    remaining_seconds,
    require_step,
)
from yue2_desktop.queue.store import QueueStore
from yue2_desktop.song.errors import Problem


def _new(seed: int = 1, song: str = "s") -> NewJob:
    return NewJob(song, "Песня ☃", seed, JobPart.TAKE, f"takes/{seed}", {"style": "folk", "seed": seed})


#: A queue as the first builds wrote it.
_FIRST_VERSION = """
create table job (
    id integer primary key autoincrement, place integer not null, song text not null, title text not null,
    take integer not null, seed integer not null, part text not null, folder text not null, orders text not null,
    state text not null, plan text not null, problem_kind text not null, problem text not null,
    created real not null, started real, ended real
);
create index job_place on job (place);
create index job_song on job (song);
insert into job values (1, 1, 's', 't', 3, 1, 'take', 'a', '{}', 'waiting', '', '', '', 1.0, null, null);
insert into job values (2, 2, 's', 't', 1, 1, 'take', 'b', '{}', 'done', '', '', '', 1.0, 1.0, 2.0);
insert into job values (3, 3, 'other', 't', 2, 1, 'take', 'c', '{}', 'waiting', '', '', '', 1.0, null, null);
pragma user_version = 1;
"""


#: What the second version had more.
_SECOND_VERSION = f"""
{_FIRST_VERSION}
create table number (
    song text not null, part text not null, highest integer not null, primary key (song, part)
) without rowid;
insert into number values ('s', 'take', 7), ('other', 'take', 2);
pragma user_version = 2;
"""


@pytest.fixture
def store(tmp_path: Path) -> QueueStore:
    return QueueStore.open(tmp_path / "data" / "queue.sqlite", clock=lambda: 12.5)


def test_jobs_are_kept_in_order_with_takes_counted_by_song(store: QueueStore) -> None:
    added = store.add([_new(2**63 - 1), _new(4), _new(5, "other")])
    assert [job.take for job in added] == [1, 2, 1]
    assert [job.seed for job in store.jobs()] == [2**63 - 1, 4, 5]
    assert store.jobs() == added
    assert added[0].title == "Песня ☃"
    assert added[0].order == {"style": "folk", "seed": 2**63 - 1}
    assert added[0].created == 12.5


def test_a_score_is_no_take(store: QueueStore) -> None:
    """The first take of a song is the first, though its score was written before."""
    score = NewJob("s", "Песня ☃", 1, JobPart.SCORE, "takes/score", {})
    assert [job.take for job in store.add([score, _new(1), score, _new(2)])] == [1, 1, 2, 2]


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    """A take of a job that was taken out of the list is still in the library, by its number."""
    path = tmp_path / "queue.sqlite"
    store = QueueStore.open(path)
    first, second, third = store.add([_new(1), _new(2), _new(3)])
    for job in (first, third):
        store.remove(job.id)
    assert [job.take for job in store.add([_new(4)])] == [4]
    for job in store.jobs():
        store.remove(job.id)
    store.close()
    again = QueueStore.open(path)
    assert [job.take for job in again.add([_new(5), _new(5, "other")])] == [5, 1]
    assert second.take == 2


def test_the_rest_of_a_take_keeps_its_number(store: QueueStore) -> None:
    """And it is not given again, though this file never heard of it."""
    rest = replace(_new(1), take=7)
    assert [job.take for job in store.add([_new(2), rest, _new(3)])] == [1, 7, 8]


def test_what_the_library_knows_is_counted_on(store: QueueStore) -> None:
    """The queue's file was lost, or is that of another machine."""
    store.add([_new(1, "long")] * 3)
    store.know_numbers({"s": 7, "long": 2, "odd": 10**30, "none": 0})
    assert [job.take for job in store.add([_new(1), _new(2), _new(3, "long"), _new(4, "odd"), _new(5, "none")])] == [
        8, 9, 4, 1, 1,
    ]  # fmt: skip
    score = NewJob("s", "Песня ☃", 1, JobPart.SCORE, "takes/score", {})
    assert store.add([score])[0].take == 1


def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(_FIRST_VERSION)
    db.close()
    store = QueueStore.open(path)
    assert [(job.song, job.take, job.state) for job in store.jobs()] == [
        ("s", 3, JobState.WAITING), ("s", 1, JobState.DONE), ("other", 2, JobState.WAITING),
    ]  # fmt: skip
    assert [job.take for job in store.add([_new(9), _new(9, "other")])] == [4, 3]
    store.close()
    assert len(QueueStore.open(path).jobs()) == 5  # and a second time there is nothing to take over


def test_a_file_of_the_second_version_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(_SECOND_VERSION)
    db.close()
    store = QueueStore.open(path)
    assert [job.breaks for job in store.jobs()] == [0, 0, 0]
    assert not store.is_paused
    assert store.add([_new(9)])[0].take == 8
    store.set_paused(True)
    store.close()
    with closing(QueueStore.open(path)) as again:
        assert again.is_paused


def test_a_pause_outlives_the_program(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    for paused in (True, False):
        with closing(QueueStore.open(path)) as store:
            assert store.is_paused is not paused
            store.set_paused(paused)
            assert store.is_paused is paused


def test_what_breaks_off_goes_on_once_unasked_and_again_when_it_is_asked_for(store: QueueStore) -> None:
    (job,) = store.add([_new(1)])
    store.start(job.id)
    broken = store.break_off(job.id)
    assert (broken.state, broken.breaks, broken.ended) == (JobState.INTERRUPTED, 1, 12.5)
    assert goes_on_unasked(broken)
    store.set_state(job.id, JobState.WAITING)
    store.start(job.id)
    broken = store.break_off(job.id)
    assert broken.breaks == 2
    assert not goes_on_unasked(broken)
    store.end(job.id, JobState.FAILED, problem_kind="engine-died", problem="It broke off.")
    asked = store.ask_again(job.id)
    assert (asked.state, asked.breaks, asked.order) == (JobState.WAITING, 0, job.order)
    with pytest.raises(QueueError):
        store.ask_again(job.id)


def test_a_job_is_asked_for_again_with_another_order(store: QueueStore) -> None:
    (job,) = store.add([_new(1)])
    store.set_state(job.id, JobState.CANCELLED)
    assert store.ask_again(job.id, {**job.order, "run_anyway": True}).order == {
        "style": "folk", "seed": 1, "run_anyway": True,
    }  # fmt: skip


def test_a_program_that_dies_breaks_off_what_runs_and_one_that_is_closed_does_not(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    store = QueueStore.open(path)
    (job,) = store.add([_new(1)])
    for times in (1, 2):
        store.start(job.id)
        store.close()
        store = QueueStore.open(path)
        assert (store.job(job.id).state, store.job(job.id).breaks) == (JobState.INTERRUPTED, times)
        store.set_state(job.id, JobState.WAITING)
    store.start(job.id)
    store.end(job.id, JobState.INTERRUPTED)
    store.close()
    with closing(QueueStore.open(path)) as again:
        assert (again.job(job.id).state, again.job(job.id).breaks) == (JobState.INTERRUPTED, 2)


def test_a_file_that_lacks_its_pause_is_no_queue(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    QueueStore.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("delete from whole")
    db.close()
    with pytest.raises(Problem, match="cannot be read"):
        QueueStore.open(path)


def test_a_plan_is_kept(store: QueueStore, tmp_path: Path) -> None:
    (job,) = store.add([replace(_new(1), plan="BF16 · 16 steps")])
    assert job.plan == "BF16 · 16 steps"
    assert store.set_plan(job.id, "INT4 · 16 steps").plan == "INT4 · 16 steps"
    store.close()
    assert QueueStore.open(tmp_path / "data" / "queue.sqlite").job(job.id).plan == "INT4 · 16 steps"


def test_one_job_runs_at_a_time(store: QueueStore) -> None:
    first, second = store.add([_new(1), _new(2)])
    assert next_job(store.jobs(), paused=False) == first
    assert next_job(store.jobs(), paused=True) is None
    running = store.start(first.id)
    assert running.state is JobState.RUNNING
    assert next_job(store.jobs(), paused=False) is None
    with pytest.raises(QueueError, match="runs already"):
        store.start(second.id)
    with pytest.raises(QueueError, match="cancel it first"):
        store.remove(first.id)
    ended = store.end(first.id, JobState.FAILED, problem_kind="disk-full", problem="No room.")
    assert (ended.problem_kind, ended.problem, ended.ended) == ("disk-full", "No room.", 12.5)
    assert next_job(store.jobs(), paused=False) == second
    again = store.set_state(first.id, JobState.WAITING)
    assert next_job(store.jobs(), paused=False) == again


def test_a_restart_finds_the_queue_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    store = QueueStore.open(path)
    first, second, third = store.add([_new(1), _new(2), _new(3)])
    store.start(first.id)
    store.set_state(second.id, JobState.PAUSED)
    store.move(third.id, second.id)
    store.close()
    jobs = QueueStore.open(path).jobs()
    assert [job.id for job in jobs] == [first.id, third.id, second.id]
    assert [job.state for job in jobs] == [JobState.INTERRUPTED, JobState.WAITING, JobState.PAUSED]


def test_a_change_that_fails_changes_nothing(store: QueueStore) -> None:
    store.add([_new(1)])
    with pytest.raises(ValueError, match="Out of range float"):
        store.add([_new(2), NewJob("s", "t", 3, JobPart.TAKE, "f", {"cfg": float("nan")})])
    assert [job.seed for job in store.jobs()] == [1]
    assert store.add([_new(9)])[0].take == 2


def test_moving_and_removing(store: QueueStore) -> None:
    a, b, c = (job.id for job in store.add([_new(1), _new(2), _new(3)]))
    store.move(c, a)
    store.move(a, None)
    assert [job.id for job in store.jobs()] == [c, b, a]
    store.remove(b)
    assert [job.id for job in store.jobs()] == [c, a]
    with pytest.raises(QueueError, match="no job"):
        store.job(b)
    with pytest.raises(QueueError, match="not in the queue"):
        store.move(b, a)


@pytest.mark.parametrize(("job", "before", "wanted"), [(3, 1, (3, 1, 2)), (1, None, (2, 3, 1)), (2, 2, (1, 2, 3))])
def test_moved_is_a_permutation(job: int, before: int | None, wanted: tuple[int, ...]) -> None:
    assert moved((1, 2, 3), job, before) == wanted


@pytest.mark.parametrize("state", list(JobState))
def test_every_state_knows_what_may_follow(state: JobState) -> None:
    job = Job(1, "s", "t", 1, 1, JobPart.TAKE, "f", {}, state)
    for other in JobState:
        if other in FOLLOWS[state]:
            require_step(job, other)
        else:
            with pytest.raises(QueueError, match="cannot become"):
                require_step(job, other)


def test_the_rest_of_the_queue_is_known_only_when_all_of_it_is(store: QueueStore) -> None:
    waiting = store.add([_new(1), _new(2)])
    running = replace(waiting[0], state=JobState.RUNNING, standing=JobStanding("semantic", 1, 9, "tokens", 2.0, 30.0))
    assert remaining_seconds((running, waiting[1]), 100.0) == 130.0
    assert remaining_seconds((running, waiting[1]), None) is None
    assert remaining_seconds((replace(running, standing=None),), 100.0) is None
    assert remaining_seconds((), None) == 0.0


def test_a_file_that_is_no_queue_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    path.write_bytes(b"not a database at all, but a user's file" * 40)
    before = path.read_bytes()
    with pytest.raises(Problem, match="Move the file away"):
        QueueStore.open(path)
    assert path.read_bytes() == before


def test_a_later_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    QueueStore.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(Problem, match="later version"):
        QueueStore.open(path)


def test_a_damaged_row_is_named(store: QueueStore, tmp_path: Path) -> None:
    (job,) = store.add([_new(1)])
    with sqlite3.connect(tmp_path / "data" / "queue.sqlite") as db:
        db.execute("update job set orders = '[1]'")
    db.close()
    with pytest.raises(Problem, match=f"Job {job.id} of the render queue is damaged"):
        store.jobs()
