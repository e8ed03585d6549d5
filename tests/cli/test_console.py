"""Streams that lose no letter and end no work: code pages, pipes whose reader is gone."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from yue2_desktop.cli import console
from yue2_desktop.library.record import read_record


def test_a_pipe_is_utf_8_and_a_terminal_takes_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    pipe, terminal = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding="cp1252"))
    monkeypatch.setattr(sys, "stderr", Terminal(terminal, encoding="cp1252"))
    console.prepare()
    print("é 音\udce9")
    console.say("é 音")
    sys.stdout.flush()
    assert pipe.getvalue() == "é 音\\udce9\n".encode()
    assert terminal.getvalue().rstrip() == "é \\u97f3".encode("cp1252")


def test_no_streams_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window program on Windows has none."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    console.prepare()


def test_arguments_of_an_ascii_locale_are_utf_8() -> None:
    assert console.recovered(os.fsencode("сон").decode("ascii", "surrogateescape")) == "сон"
    assert console.recovered("сон") == "сон"
    assert console.recovered("\udcff") == "\udcff"


@pytest.mark.skipif(os.name == "nt", reason="a closed pipe has other errors there")
def test_a_reader_that_goes_away_ends_the_work(tiny: tuple[str, ...], tmp_path: Path) -> None:
    """`render --json | head -1`: no traceback, no work that nobody waits for, and what was made is kept."""
    out = tmp_path / "take"
    process = subprocess.Popen(
        [sys.executable, "-m", "yue2_desktop", "render", *tiny, "--output", str(out), "--json"],
        cwd=Path(__file__).parents[2], env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    while '"progress"' not in process.stdout.readline():
        assert process.poll() is None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 1
    assert said == ""
    assert not (out / "result.json").exists()
    assert "cancelled" in {stage.state for stage in read_record(out).stages.values()}
