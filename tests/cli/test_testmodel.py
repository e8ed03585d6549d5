"""Making the test model from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., Any]


def test_it_is_made_and_named(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    ended = cli("test-model", folder)
    assert ended.status == 0
    assert f"--model '{folder / 'model'}'" in ended.out
    written = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    ended = cli("test-model", folder, "--json")
    assert ended.status == 0
    assert ended.events == [{"event": "result", "model": str(folder / "model"), "vae": str(folder / "vae")}]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()} == written
    (folder / "model" / "qwen.tiktoken").write_bytes(b"cut")
    ended = cli("test-model", folder, "--quiet")
    assert (ended.status, ended.out) == (0, "")
    assert (folder / "model" / "qwen.tiktoken").stat().st_size > 1_000_000


def test_a_folder_that_cannot_be_written(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    ended = cli("test-model", tmp_path / "file")
    assert ended.status == 2
    assert "could not be written" in ended.err
    assert len(ended.err.splitlines()) == 1
