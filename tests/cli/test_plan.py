"""The score alone: printed, saved, sung later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from yue2_desktop.cli.plan import _printable
from yue2_desktop.library.plan_files import load_plan

Cli = Callable[..., Any]


def _plan_options(tiny: tuple[str, ...], models: tuple[str, ...]) -> list[str]:
    words = tiny[: tiny.index("--ode-steps")]
    sampling = tiny[tiny.index("--abc-sampling") : tiny.index("--model")]
    return [*words, *sampling, *models[:2], *models[4:]]


def test_the_score_is_printed_and_kept(
    cli: Cli, tiny: tuple[str, ...], models: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "plan"
    ended = cli("plan", *_plan_options(tiny, models), "--output", out)
    assert ended.status == 0
    assert ended.out == (out / "score.abc").read_bytes().decode("utf-8")
    assert load_plan(out) == load_plan(finished)
    assert "The score is written." in ended.err
    assert "The score is not finished" in ended.err
    assert not (out / "semantic.npy").exists()
    assert not (out / "journal").exists()


def test_a_score_needs_no_room_for_a_whole_song(
    cli: Cli, tiny: tuple[str, ...], models: tuple[str, ...], tmp_path: Path
) -> None:
    """Lyrics behind which 6 minutes of song do not fit can still get their score."""
    options = _plan_options(tiny, models)
    options[options.index("--lyrics") + 1] = "0 1 2 3 4 5 6 7 8 9\n" * 400
    ended = cli("plan", *options, "--json", "--output", tmp_path / "a")
    assert ended.status == 0
    assert ended.events[-1]["last"] == "plan"
    assert ended.events[-1]["files"] == ["score.abc"]


def test_a_terminal_is_not_commanded_by_a_score(monkeypatch: Any) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    assert _printable("K:C\x1b[2J") == "K:C\x1b[2J"
    monkeypatch.setattr("sys.stdout", Terminal())
    assert _printable("K:C\n\tж\x1b[2J") == "K:C\n\tж\ufffd[2J"
