"""Progress for people: one line a stage in a terminal, a few plain lines in a file."""

from __future__ import annotations

import io
import sys

import pytest

from yue2_desktop.cli.report import StageEnd
from yue2_desktop.cli.screen import Quiet, Screen
from yue2_desktop.engine.progress import Progress, Stage
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem, ProblemKind


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_a_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    stream = Terminal()
    screen = Screen(stream)
    screen.begins(TakeStage.PLAN)
    screen.progress(Progress(Stage.SCORE, 213, 4096, "tokens", 38.25, 102.0))
    screen.progress(Progress(Stage.SCORE, 214, 4096, "tokens", 38.25, 6.0))
    screen.ends(StageEnd(TakeStage.PLAN, "made", 5.6, 214, truncated=False))
    lines = stream.getvalue().split("\n")
    assert len(lines) == 2
    shown = [part.rstrip() for part in lines[0].split("\r")]
    assert shown[2] == ("Writing the score  213 of at most 4,096 tokens, 38.2 a second, at most about 2 min left")
    assert shown[3].endswith("at most a few seconds left")
    assert shown[4] == "Writing the score  214 tokens in 5.6 s"
    # Whatever was longer is wiped out.
    assert len(lines[0].split("\r")[-1]) >= len(lines[0].split("\r")[-2])


def test_a_line_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    Screen(stream).progress(Progress(Stage.ACOUSTIC, 3, 32, "steps", 0.1, 290.0))
    assert len(stream.getvalue().lstrip("\r")) == 39


def test_a_file_gets_a_line_in_ten_seconds() -> None:
    stream, now = io.StringIO(), [0.0]
    screen = Screen(stream, clock=lambda: now[0])
    screen.begins(TakeStage.LATENTS)
    for second in range(25):
        now[0] = float(second)
        screen.progress(Progress(Stage.ACOUSTIC, second, 32, "steps", 1.0, 32.0 - second))
    assert stream.getvalue().splitlines() == [
        "Shaping the sound  10 of 32 steps, 1.0 a second, about 20 s left",
        "Shaping the sound  20 of 32 steps, 1.0 a second, about 10 s left",
    ]


def test_slow_work_is_counted_in_seconds_each() -> None:
    stream = Terminal()
    Screen(stream).progress(Progress(Stage.ACOUSTIC, 1, 32, "steps", 0.25))
    assert "4.0 s each" in stream.getvalue()


def test_where_a_result_is_from() -> None:
    stream = io.StringIO()
    screen = Screen(stream)
    screen.ends(StageEnd(TakeStage.PLAN, "none", 0.0, 0))
    screen.ends(StageEnd(TakeStage.PLAN, "supplied", 0.0, 469))
    screen.ends(StageEnd(TakeStage.SEMANTIC, "reused", 0.0, 250))
    screen.ends(StageEnd(TakeStage.AUDIO, "made", 70.0, 480_000, resumed=True))
    assert [line.split("  ")[-1].strip() for line in stream.getvalue().splitlines()] == [
        "none (cot off)",
        "469 tokens, supplied",
        "0:10.0 of song, 250 tokens, from the earlier take",
        "0:10.0 in 1 min 10 s, gone on from the journal",
    ]


def test_quiet_tells_only_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = Quiet()
    quiet.note("a")
    quiet.begins(TakeStage.PLAN)
    quiet.fails(Problem(ProblemKind.CANCELLED, "Cancelled."), "Kept.")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "Cancelled.\nKept.\n")
    assert sys.stderr is not None
