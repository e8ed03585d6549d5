"""The library's index on disk: a SQLite file of summaries that is only a cache of what the takes' folders say."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from yue2_desktop.library.spelling import place_key
from yue2_desktop.library.take_summary import TakeSummary, summary_from_json
from yue2_desktop.song.disk_errors import write_problem
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

_VERSION: Final = 2
#: The key is the place, since one folder has several spellings on Windows; the folder is the bytes of its path,
#: since not every name on Linux is text.
_SCHEMA: Final = """
create table take (
    place blob primary key,
    folder blob not null,
    files text not null,
    summary text not null,
    words text not null
) without rowid;
"""
_BUSY_S: Final = 5.0

_log = logging.getLogger(__name__)

#: Size in bytes and time in nanoseconds of each file that a summary was made from.
FileStates = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class IndexedTake:
    """A row: the summary, the folded words it is found by, and the states of the files when it was made."""

    summary: TakeSummary
    words: str
    files: FileStates


class IndexStore:
    """The rows of the index. For one thread; another thread opens the file again.

    Raises Problem(BAD_FILE) when the file cannot be used. A row that cannot be read is as if absent.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db = connection
        self._path = path
        self._parsed: dict[bytes, tuple[str, TakeSummary]] = {}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens or makes the index; one that is damaged or of another version is begun anew, which loses nothing."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                return cls(_connected(path), path)
            except sqlite3.DatabaseError as error:
                _log.warning("the index %s cannot be used and is begun anew: %s", path, error)
                for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
                    file.unlink(missing_ok=True)
                return cls(_connected(path), path)
        except sqlite3.Error as error:
            raise write_problem(path, OSError(str(error))) from error
        except OSError as error:
            raise write_problem(path, error) from error

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def put(self, take: IndexedTake) -> None:
        """Adds the row of a take or puts it in place of the earlier one."""
        folder = take.summary.folder
        row = (
            _key(folder),
            os.fsencode(folder),
            json.dumps(dict(take.files)),
            json.dumps(take.summary.to_json(), ensure_ascii=False, allow_nan=False),
            take.words,
        )
        with self._told():
            self._db.execute(
                "insert or replace into take (place, folder, files, summary, words) values (?, ?, ?, ?, ?)", row
            )

    def get(self, folder: Path) -> IndexedTake | None:
        """The row of the take in `folder`."""
        with self._told():
            select = "select folder, files, summary, words from take where place = ?"
            row = self._db.execute(select, (_key(folder),)).fetchone()
        if row is None:
            return None
        summary = self._summary(row[0], row[2])
        try:
            return None if summary is None else IndexedTake(summary, row[3], json.loads(row[1]))
        except ValueError as error:
            _log.warning("the row of %s in the index cannot be read: %s", folder, error)
            return None

    def find(self, terms: Sequence[str]) -> list[TakeSummary]:
        """The takes whose words contain every one of the folded `terms`; all takes for none."""
        where = " and ".join("instr(words, ?) > 0" for _ in terms)
        with self._told():
            # Of the text of the statement only the number of terms comes from the user.
            select = f"select folder, summary from take {'where' if terms else ''} {where}"  # noqa: S608
            rows = self._db.execute(select, tuple(terms)).fetchall()
        return [summary for row in rows if (summary := self._summary(*row)) is not None]

    def keep_only(self, folders: Iterable[Path]) -> list[Path]:
        """Removes the rows of all other folders and answers which these were."""
        kept = {_key(folder) for folder in folders}
        with self._told():
            rows = self._db.execute("select place, folder from take").fetchall()
        gone = [(place, Path(os.fsdecode(folder))) for place, folder in rows if place not in kept]
        self._remove([place for place, _ in gone])
        for folder in (os.fsencode(folder) for _, folder in gone):
            self._parsed.pop(folder, None)
        return [folder for _, folder in gone]

    def remove(self, folder: Path) -> None:
        """Removes the row of a take, if there is one."""
        self._remove([_key(folder)])

    def _remove(self, places: Sequence[bytes]) -> None:
        with self._told():
            self._db.executemany("delete from take where place = ?", [(place,) for place in places])

    def _summary(self, folder: bytes, text: str) -> TakeSummary | None:
        """The summary in a row's text, which is parsed once: a search reads all rows, and few have changed."""
        known = self._parsed.get(folder)
        if known is not None and known[0] == text:
            return known[1]
        path = Path(os.fsdecode(folder))
        try:
            summary = summary_from_json(json.loads(text), path)
        except (ValueError, TypeError, KeyError) as error:
            _log.warning("the row of %s in the index cannot be read: %s", path, error)
            return None
        self._parsed[folder] = (text, summary)
        return summary

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            place = path_text(self._path)
            raise Problem(
                ProblemKind.BAD_FILE,
                f"The index of the library {place} cannot be used ({error}); close the program and delete that file: "
                "it is made anew from the takes.",
                path=place,
            ) from error


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_S)
    try:
        connection.execute("pragma journal_mode = wal")
        # A lost last row is read again from its folder.
        connection.execute("pragma synchronous = normal")
        (version,) = connection.execute("pragma user_version").fetchone()
        if version == 0:
            connection.executescript(f"begin immediate; {_SCHEMA} pragma user_version = {_VERSION}; commit;")
        elif version != _VERSION:
            raise sqlite3.DatabaseError(f"it is of version {version}")
        connection.execute("select place, folder, files, summary, words from take limit 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _key(folder: Path) -> bytes:
    return place_key(folder.absolute()).encode("utf-8", "surrogatepass")
