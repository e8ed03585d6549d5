"""Hashes that were computed before: found again for the same file only, and never a reason to fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from yue2_desktop.library.hash_cache import HashCache, file_state


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "Алёна ☃.bin"
    path.write_bytes(b"abc")
    return path


def test_a_hash_is_found_until_the_file_changes(file: Path, tmp_path: Path) -> None:
    cache = HashCache(tmp_path / "new" / "hashes.json")
    assert cache.known(file) is None
    cache.remember(file, "ab" * 32, file_state(file))
    assert cache.known(file) == "ab" * 32
    assert HashCache(tmp_path / "new" / "hashes.json").known(file) == "ab" * 32
    os.utime(file, ns=(5, 5))
    assert cache.known(file) is None
    file.unlink()
    assert cache.known(file) is None


def test_a_file_that_changed_while_it_was_hashed_is_not_known(file: Path, tmp_path: Path) -> None:
    cache = HashCache(tmp_path / "hashes.json")
    before = file_state(file)
    file.write_bytes(b"abcd")
    cache.remember(file, "ab" * 32, before)
    assert cache.known(file) is None


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"x": 5}'])
def test_a_damaged_cache_is_begun_anew(content: bytes, file: Path, tmp_path: Path) -> None:
    path = tmp_path / "hashes.json"
    path.write_bytes(content)
    cache = HashCache(path)
    assert cache.known(file) is None
    cache.remember(file, "cd" * 32, file_state(file))
    assert cache.known(file) == "cd" * 32


def test_a_cache_that_cannot_be_written_is_logged(file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "blocked").write_bytes(b"")
    HashCache(tmp_path / "blocked" / "hashes.json").remember(file, "ab" * 32, file_state(file))
    assert "could not be kept" in caplog.text
