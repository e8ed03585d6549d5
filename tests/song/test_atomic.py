"""Writing in one step: the old content or the new, never a part, and nothing left lying about."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from yue2_desktop.song.atomic import atomic_file, remove_leftovers, write_bytes
from yue2_desktop.song.disk_errors import write_problem
from yue2_desktop.song.errors import Problem, ProblemKind


def raising(number: int) -> Callable[[int], None]:
    def fail(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_new_content_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "☃ 🤣.json"
    write_bytes(path, b"one")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_is_not_there_before_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with atomic_file(path) as file:
        file.write(b"x")
        assert not path.exists()
    assert path.exists()


def test_a_failing_block_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_bytes(path, b"old")

    def interrupted() -> None:
        with atomic_file(path) as file:
            file.write(b"half of the ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_says_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    path = tmp_path / "latent.npy"
    monkeypatch.setattr(os, "fsync", raising(number))
    with pytest.raises(Problem) as caught:
        write_bytes(path, b"x", kept=["plan.json", "semantic.npy"])
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert "latent.npy could not be written; kept are plan.json, semantic.npy." in caught.value.sentence
    assert caught.value.data["kept"] == ["plan.json", "semantic.npy"]
    assert list(tmp_path.iterdir()) == []


def test_another_failure_gives_the_systems_reason(tmp_path: Path) -> None:
    with pytest.raises(Problem) as caught:
        write_bytes(tmp_path / "gone" / "a", b"x")
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "could not be written (No such file or directory)" in caught.value.sentence


def test_a_folder_that_cannot_be_flushed_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def only_files(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.EINVAL, "not on this file system")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)
    write_bytes(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"


def test_leftovers_of_a_killed_process_go(tmp_path: Path) -> None:
    (tmp_path / ".yue2-0123abcd.part").write_bytes(b"x")
    (tmp_path / "mine.part").write_bytes(b"x")
    remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.part"]


@pytest.mark.skipif(os.name == "nt", reason="the whole path would pass the 260 characters of Windows")
def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_bytes(path, b"x")
    assert path.read_bytes() == b"x"


def test_a_full_disk_speaks_of_stages_only_where_a_take_is_written(tmp_path: Path) -> None:
    error = OSError(errno.ENOSPC, "No space left on device")
    assert "stage" not in write_problem(tmp_path / "song.flac", error).sentence
    assert "no finished stage was lost" in write_problem(tmp_path / "plan.json", error, ()).sentence
