"""A window opens whatever its queue is like, and says what became of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from yue2_desktop.queue.job import JobPart, NewJob
from yue2_desktop.queue.opening import open_queue

JOB = NewJob("s", "Ferry", 1, JobPart.TAKE, "takes/1", {"style": "folk"})


def test_a_queue_in_order_is_opened_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "data" / "queue.sqlite3"
    store, said = open_queue(path)
    store.add([JOB])
    store.close()
    again, said_again = open_queue(path)
    assert (said, said_again) == ("", "")
    assert [job.title for job in again.jobs()] == ["Ferry"]
    again.close()


@pytest.mark.parametrize("tail", ["", "-wal"])
def test_a_damaged_queue_is_put_aside(tmp_path: Path, tail: str) -> None:
    path = tmp_path / "queue.sqlite3"
    path.write_bytes(b"no database at all" * 400)
    (tmp_path / f"queue.sqlite3{tail}").write_bytes(b"no database at all" * 400)
    store, said = open_queue(path)
    store.add([JOB])
    assert len(store.jobs()) == 1
    store.close()
    (aside,) = tmp_path.glob("queue damaged *.sqlite3")
    assert aside.read_bytes() == b"no database at all" * 400
    assert str(aside) in said


def test_a_queue_with_a_damaged_job_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite3"
    store, _ = open_queue(path)
    store.add([JOB])
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update job set orders = 'x'")
    store, said = open_queue(path)
    assert store.jobs() == ()
    assert "begins empty" in said
    store.close()


def test_where_nothing_can_be_written_jobs_are_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be", encoding="utf-8")
    store, said = open_queue(tmp_path / "data" / "queue.sqlite3")
    store.add([JOB])
    assert len(store.jobs()) == 1
    assert "until the window is closed" in said
    store.close()
