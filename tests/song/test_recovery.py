"""Snapshots and locks: what was typed comes back after a crash (user-reports.md, rows 109 and 110)."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, settings

import yue2_desktop
from tests.song.documents import DOCUMENTS
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.owner_lock import Owner, OwnerLock, owner_at
from yue2_desktop.song.recovery import LONGEST_S, QUIET_S, Recovery, Snapshot, seconds_until_due

ROOT = Path(yue2_desktop.__file__).parents[1]
SONG = SongDocument(id="song-1", title="t", style="folk", lyrics="[Verse]\nla ☃")

#: A window that types, saves as an open window does, and then hangs until it is killed.
WINDOW = """
import sys, time
from pathlib import Path
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.recovery import Recovery, Snapshot

recovery = Recovery(Path(sys.argv[1]))
lock = recovery.hold("song-1")
for count in range(1, 4):
    recovery.write(Snapshot(SongDocument(id="song-1", style="folk", lyrics="[Verse]\\n" + "la " * count + "☃")))
print("typed", flush=True)
time.sleep(60)
"""


def test_row_110_what_was_typed_comes_back_after_a_kill(tmp_path: Path) -> None:
    window = subprocess.Popen([sys.executable, "-c", WINDOW, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT)
    try:
        assert window.stdout is not None
        assert window.stdout.readline().strip() == b"typed"
        recovery = Recovery(tmp_path)
        assert recovery.left_behind().snapshots == (), "a window that runs keeps its own"
        with pytest.raises(Problem, match=rf"open in another window .process {window.pid}.; go on there"):
            recovery.hold("song-1")
    finally:
        window.kill()
        window.communicate()
    (snapshot,) = recovery.left_behind().snapshots
    assert snapshot.document == SongDocument(id="song-1", style="folk", lyrics="[Verse]\nla la la ☃")
    recovery.hold("song-1").release()


def test_row_110_a_snapshot_is_due_within_three_seconds_however_one_types() -> None:
    assert seconds_until_due(10.0, 10.0, 10.0) == pytest.approx(QUIET_S)
    assert seconds_until_due(10.5, 10.0, 10.4) == pytest.approx(0.7)
    assert seconds_until_due(11.9, 10.0, 11.9) == pytest.approx(LONGEST_S - 1.9)
    assert seconds_until_due(99.0, 10.0, 11.0) == 0.0
    assert LONGEST_S < 3.0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(DOCUMENTS)
def test_row_109_every_field_comes_back(tmp_path: Path, document: SongDocument) -> None:
    recovery = Recovery(tmp_path / "r")
    project = tmp_path / "a ☃.yue2song"
    recovery.write(Snapshot(document, project, "ab", 12.5))
    assert recovery.left_behind().snapshots == (Snapshot(document, project, "ab", 12.5),)
    recovery.discard(document.id)
    assert recovery.left_behind().snapshots == ()


def test_newest_first_and_one_a_document(tmp_path: Path) -> None:
    recovery = Recovery(tmp_path)
    recovery.write(Snapshot(SONG, written=1.0))
    recovery.write(Snapshot(replace(SONG, id="song-2"), written=3.0))
    recovery.write(Snapshot(replace(SONG, title="later"), written=2.0))
    found = recovery.left_behind().snapshots
    assert [(one.document.id, one.document.title) for one in found] == [("song-2", "t"), ("song-1", "later")]


def test_no_folder_yet_is_nothing_left(tmp_path: Path) -> None:
    assert Recovery(tmp_path / "absent").left_behind().snapshots == ()
    Recovery(tmp_path / "absent").discard("song-1")


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"format":"x"}', b'{"format":"yue2song-recovery","version":9}',
     b'{"format":"yue2song-recovery","version":1,"project":3,"written":1}',
     b'{"format":"yue2song-recovery","version":1,"written":true}',
     b'{"format":"yue2song-recovery","version":1,"written":1,"song":{}}'],
)  # fmt: skip
def test_a_damaged_snapshot_hides_no_other_and_stays(tmp_path: Path, content: bytes) -> None:
    recovery = Recovery(tmp_path)
    recovery.write(Snapshot(SONG))
    bad = tmp_path / "song-bad.recovery"
    bad.write_bytes(content)
    found = recovery.left_behind()
    assert [one.document for one in found.snapshots] == [SONG]
    assert len(found.damaged) == 1
    assert "song-bad.recovery" in found.damaged[0]
    assert bad.read_bytes() == content


def test_temporary_files_of_a_killed_window_go(tmp_path: Path) -> None:
    leftover = tmp_path / ".yue2-abcd.part"
    leftover.write_bytes(b"half")
    lock = Recovery(tmp_path).hold("song-1")
    Recovery(tmp_path).left_behind()
    assert leftover.exists(), "it may be a running window's"
    lock.release()
    Recovery(tmp_path).left_behind()
    assert not leftover.exists()


def test_a_lock_is_held_once_and_can_be_taken_by_force(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.owner"
    first = OwnerLock.take(path)
    with pytest.raises(Problem) as caught:
        OwnerLock.take(path)
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert caught.value.data["pid"] == os.getpid()
    second = OwnerLock.take(path, by_force=True)
    assert (first.is_held, second.is_held) == (False, True)
    first.release()
    assert second.is_held, "the first one leaves alone what it lost"
    second.release()
    second.release()
    assert owner_at(path) is None
    OwnerLock.take(path).release()


@pytest.mark.parametrize(
    ("change", "alive"),
    [
        ({}, True),
        ({"started": 12.0}, False),
        ({"pid": 2**22 + 12345}, False),
        ({"host": "another-machine", "pid": 1}, True),
    ],
)
def test_who_is_alive(change: dict[str, object], alive: bool) -> None:
    me = Owner(os.getpid(), psutil.Process().create_time(), socket.gethostname(), "x")
    assert replace(me, **change).is_alive == alive  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid":"x"}', b"\xff"])
def test_a_lock_that_says_nothing_is_nobodys(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.owner"
    path.write_bytes(content)
    assert owner_at(path) is None
    assert OwnerLock.take(path).is_held


def test_a_lock_on_another_machine_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.owner"
    path.write_text(json.dumps(asdict(Owner(7, 1.0, "studio", "x"))), encoding="utf-8")
    with pytest.raises(Problem, match="process 7 on studio"):
        OwnerLock.take(path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Problem, match="could not be written"):
        OwnerLock.take(tmp_path / "file" / "a.owner")
    with pytest.raises(Problem, match="could not be written"):
        Recovery(tmp_path / "file").write(Snapshot(SONG))


def test_what_another_window_left_is_neither_removed_nor_written_over(tmp_path: Path) -> None:
    """The song of the file is open again after a crash, with the same id, and is typed in before anybody answers."""
    Recovery(tmp_path).write(Snapshot(SONG, written=1.0))
    recovery = Recovery(tmp_path)
    recovery.discard(SONG.id)
    (lost,) = recovery.left_behind().snapshots
    assert lost.document == SONG
    for count, words in enumerate(("typed", "typed after")):
        recovery.write(Snapshot(replace(SONG, lyrics=words), written=2.0 + count))
    found = recovery.left_behind().snapshots
    assert [one.document.lyrics for one in found] == ["typed after", SONG.lyrics]
    recovery.discard(SONG.id)
    (kept,) = recovery.left_behind().snapshots
    assert kept.document == SONG
    Recovery(tmp_path).write(Snapshot(replace(SONG, lyrics="another day")))
    Recovery(tmp_path).write(Snapshot(replace(SONG, lyrics="and another")))
    assert len(recovery.left_behind().snapshots) == 3


@pytest.mark.parametrize("types_first", [False, True])
def test_what_is_brought_back_is_the_windows_own(tmp_path: Path, *, types_first: bool) -> None:
    Recovery(tmp_path).write(Snapshot(SONG, tmp_path / "a.yue2song", "m", 1.0))
    recovery = Recovery(tmp_path)
    (lost,) = recovery.left_behind().snapshots
    if types_first:
        recovery.write(Snapshot(replace(SONG, lyrics="let go"), written=2.0))  # sets aside what was found
    recovery.adopt(lost)
    (own,) = recovery.left_behind().snapshots
    assert (own.document, own.project, own.mark) == (SONG, tmp_path / "a.yue2song", "m")
    recovery.discard(SONG.id)  # it was saved
    assert recovery.left_behind().snapshots == ()
    recovery.adopt(lost)  # it went meanwhile
    assert recovery.left_behind().snapshots == ()
