"""The log: UTF-8 whatever the locale, rotated, attached to our records only; a crash leaves its trace."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from yue2_desktop import logs

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[logs.Logs]:
    # pytest's own faulthandler stays as it is; the crash trace is tested in a process of its own.
    monkeypatch.setattr(logs.faulthandler, "enable", lambda file: None)
    monkeypatch.setattr(logs.faulthandler, "disable", lambda: None)
    monkeypatch.setattr(logs, "_MAX_BYTES", 2_000)
    started = logs.start(folder=tmp_path / "journal ☃")
    yield started
    started.close()


def test_records_arrive_with_their_name_and_level(started: logs.Logs) -> None:
    logging.getLogger("yue2_desktop.engine").info("песня %s", "☃")
    logging.getLogger("somebody.else").warning("not ours")
    line = started.path.read_text(encoding="utf-8")
    assert line.endswith("INFO yue2_desktop.engine: песня ☃\n")
    assert "not ours" not in line


def test_a_name_that_cannot_be_encoded_is_still_logged(started: logs.Logs) -> None:
    logging.getLogger("yue2_desktop").warning("file %s", "caf\udce9.txt")
    assert r"caf\udce9.txt" in started.path.read_text(encoding="utf-8")


def test_the_log_stays_small(started: logs.Logs) -> None:
    for number in range(200):
        logging.getLogger("yue2_desktop").info("line %d", number)
    files = sorted(path.name for path in started.path.parent.iterdir())
    assert files == ["yue2-desktop-crash.txt", "yue2-desktop.log", "yue2-desktop.log.1"]
    assert started.path.stat().st_size <= 2_000
    assert "line 199" in started.path.read_text(encoding="utf-8")


def test_a_log_held_open_by_another_process_goes_on(started: logs.Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(source: str, dest: str) -> None:
        raise PermissionError(13, "held by another process", source)

    monkeypatch.setattr(os, "rename", held)
    for number in range(200):
        logging.getLogger("yue2_desktop").info("line %d", number)
    text = started.path.read_text(encoding="utf-8")
    assert text.count("could not be rotated") == 1
    assert [f"line {number}\n" in text for number in range(200)] == [True] * 200


def test_after_close_nothing_is_written(started: logs.Logs) -> None:
    logging.getLogger("yue2_desktop").info("before")
    started.close()
    started.close()
    logging.getLogger("yue2_desktop").info("after")
    assert "after" not in started.path.read_text(encoding="utf-8")


def test_a_hard_crash_leaves_a_trace_below_the_last_one(tmp_path: Path) -> None:
    code = (
        "import faulthandler, pathlib, sys\n"
        "from yue2_desktop import logs\n"
        "logs.start('engine', folder=pathlib.Path(sys.argv[1]))\n"
        "faulthandler._sigabrt()\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, check=False)
        assert done.returncode != 0
    assert (tmp_path / "engine-crash.txt").read_text(encoding="utf-8").count("Fatal Python error: Aborted") == 2
