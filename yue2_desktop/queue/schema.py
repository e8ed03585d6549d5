"""The tables of the queue's file, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import sqlite3
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind

_VERSION: Final = 3
#: What is read of a job, in this order.
COLUMNS: Final = (
    "id, song, title, take, seed, part, folder, orders, state, plan, problem_kind, problem, created, started, ended, "
    "breaks"
)
# Seeds reach 2^63 - 1, which is SQLite's largest integer. Places are gaps wide, so that a move writes one row.
_SCHEMA: Final = """
create table job (
    id integer primary key autoincrement,
    place integer not null,
    song text not null,
    title text not null,
    take integer not null,
    seed integer not null,
    part text not null,
    folder text not null,
    orders text not null,
    state text not null,
    plan text not null,
    problem_kind text not null,
    problem text not null,
    created real not null,
    started real,
    ended real
);
create index job_place on job (place);
create index job_song on job (song);
"""
#: The highest number that a song's takes, or its scores, have had: a number that was given is never given again, also
#: when its job was taken out of the list.
_NUMBERS: Final = """
create table number (
    song text not null,
    part text not null,
    highest integer not null,
    primary key (song, part)
) without rowid;
insert into number select song, part, max(take) from job group by song, part;
"""
#: How often a job broke off since it was asked for, and the queue as a whole, which has one row.
_BREAKS: Final = """
alter table job add column breaks integer not null default 0;
create table whole (is_paused integer not null);
insert into whole values (0);
"""
#: What makes a file of each version one of the next.
_STEPS: Final = (_SCHEMA, _NUMBERS, _BREAKS)


def prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables in a new file, and those that are missing in one of an earlier version.

    Raises Problem(BAD_FILE) for a file of a later version, and sqlite3.DatabaseError for one that is no queue.
    """
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    (version,) = connection.execute("pragma user_version").fetchone()
    if version > _VERSION:
        raise Problem(ProblemKind.BAD_FILE, "it was written by a later version of this program")
    if version < _VERSION:
        steps = " ".join(_STEPS[version:])
        connection.executescript(f"begin immediate; {steps} pragma user_version = {_VERSION}; commit;")
    # A file of another program has the pragma but not the tables.
    connection.execute(f"select {COLUMNS} from job limit 1").fetchone()  # noqa: S608
    connection.execute("select song, part, highest from number limit 1").fetchone()
    if connection.execute("select is_paused from whole").fetchone() is None:
        raise Problem(ProblemKind.BAD_FILE, "whether it is paused is not in it")
