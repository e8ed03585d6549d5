"""Which rows are listed, in which order, and where a render goes when it is moved by a key."""

from __future__ import annotations

import pytest

from tests.ui.takes.samples import job, singing, take
from yue2_desktop.library.take_summary import TakeState
from yue2_desktop.queue.job import JobState
from yue2_desktop.queue.schedule import moved
from yue2_desktop.ui.takes.rows import JobRow, Scope, TakeRow, is_last, meant, neighbour_above, neighbour_below, rows_of


def test_jobs_come_first_and_the_running_one_at_the_top() -> None:
    rows = rows_of([take(2), take(1)], [job(1), job(2, JobState.RUNNING)], scope=Scope.SONG, song="ferry")
    assert [row.key for row in rows] == ["job 2", "job 1", "take /music/ferry/take-2", "take /music/ferry/take-1"]


def test_a_job_stands_for_the_folder_that_it_makes() -> None:
    running = job(1, JobState.RUNNING, folder=str(take(1).folder))
    assert [row.key for row in rows_of([take(1)], [running], scope=Scope.SONG, song="ferry")] == ["job 1"]
    done = job(1, JobState.DONE, folder=str(take(1).folder))
    assert [type(row) for row in rows_of([take(1)], [done], scope=Scope.SONG, song="ferry")] == [TakeRow]


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_what_was_not_finished_is_listed_once(state: JobState) -> None:
    """By its job, which can be gone on with; by itself once that is out of the list, or where there is a sound."""
    begun = take(1, state=TakeState.CANCELLED, audio=None)
    over = job(1, state, folder=str(begun.folder))
    listed = [row.key for row in rows_of([take(2), begun], [over], scope=Scope.SONG, song="ferry")]
    assert listed == ["job 1", "take /music/ferry/take-2"]
    (row,) = rows_of([begun], [], scope=Scope.SONG, song="ferry")
    assert isinstance(row, TakeRow)
    assert row.can_go_on
    assert len(rows_of([take(1)], [over], scope=Scope.SONG, song="ferry")) == 2
    elsewhere = job(1, state, folder=str(begun.folder), song="other")
    assert rows_of([begun], [elsewhere], scope=Scope.SONG, song="ferry") == (row,), "a job that is not in sight"


def test_what_can_be_gone_on_with() -> None:
    can = [state for state in TakeState if TakeRow(take(1, state=state)).can_go_on]
    assert can == [TakeState.BEGUN, TakeState.FAILED, TakeState.CANCELLED]


def test_what_is_meant_by_delete_among_several() -> None:
    rows = [JobRow(job(1, JobState.RUNNING)), JobRow(job(2)), JobRow(job(3, JobState.FAILED)), TakeRow(take(1))]
    running, waits, failed, _ = rows
    assert meant("cancel", waits, rows) == (waits, running)
    assert meant("remove", failed, rows) == (failed,)
    assert meant("cancel", waits, [running]) == (waits,), "it is not among those that are selected"
    held = JobRow(job(1, JobState.RUNNING), cancelling=True)
    assert meant("cancel", waits, [held, waits]) == (waits,), "that is being cancelled"


def test_jobs_of_another_song_are_seen_while_they_run() -> None:
    jobs = [job(1, song="other"), job(2, JobState.RUNNING, song="other"), job(3)]
    assert [row.key for row in rows_of([], jobs, scope=Scope.SONG, song="ferry")] == ["job 2", "job 3"]
    assert len(rows_of([], jobs, scope=Scope.ALL, song="ferry")) == 3


def test_progress_makes_another_row_though_jobs_compare_without_it() -> None:
    before = JobRow(job(1, JobState.RUNNING), singing(10))
    assert before != JobRow(job(1, JobState.RUNNING), singing(11))


def test_moving_by_keys_goes_one_place_past_what_cannot_move() -> None:
    jobs = [job(9, JobState.RUNNING), job(1), job(2, JobState.PAUSED), job(3)]
    rows = rows_of([], jobs, scope=Scope.ALL, song="")
    order = [9, 1, 2, 3]
    assert neighbour_above(rows, 1) is None
    assert moved(order, 3, neighbour_above(rows, 3)) == (9, 1, 3, 2)
    assert moved(order, 1, neighbour_below(rows, 1)) == (9, 2, 1, 3)
    assert moved(order, 2, neighbour_below(rows, 2)) == (9, 1, 3, 2)
    assert is_last(rows, 3)
    assert not is_last(rows, 2)
