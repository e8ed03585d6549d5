"""The table of commands and the help: there at once, and whole."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from yue2_desktop import __version__
from yue2_desktop.cli import commands
from yue2_desktop.cli.options import RequestOptions

Cli = Callable[..., Any]
_LIGHT = """
import sys
from yue2_desktop.__main__ import main
status = main(sys.argv[1:])
heavy = {"torch", "numpy", "tiktoken", "safetensors", "soundfile"} & set(sys.modules)
sys.exit(f"loaded {heavy}" if heavy else status)
"""


@pytest.mark.parametrize("argv", [["--help"], ["render", "--help"]])
def test_help_loads_nothing_heavy(argv: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LIGHT, *argv], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "yue2-desktop" in done.stdout


def test_a_mistake_is_found_before_anything_heavy_is_loaded() -> None:
    argv = ["render", "--style", "a", "--lyrics", "b", "--seed", "x", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", _LIGHT, *argv], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert "--seed must be a whole number" in done.stderr
    assert "torch" not in done.stderr
    assert done.returncode != 0


def test_version(cli: Cli) -> None:
    ended = cli("--version")
    assert (ended.status, ended.out) == (0, f"YuE2 Desktop {__version__}\n")


def test_without_a_command_and_a_screen_the_help(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    ended = cli()
    assert ended.status == 2
    assert "render" in ended.out


def test_every_command_has_its_help(cli: Cli) -> None:
    top = cli("--help").out
    for name in ("render", "plan", "decode", "inspect", "test-model"):
        assert f"\n    {name}" in top
        ended = cli(name, "--help")
        assert ended.status == 0
        assert ended.out.startswith(f"usage: yue2-desktop {name}")


def test_render_has_all_its_options(cli: Cli) -> None:
    text = cli("render", "--help").out
    for option in (
        "--style TEXT", "--lyrics TEXT", "--lyrics-file FILE", "--request FILE.json", "--cot {full,melody,off}",
        "--abc-file FILE.abc", "--seed N", "--cfg-scale X", "--abc-sampling JSON", "--semantic-sampling JSON",
        "--max-frames N", "--ode-steps N", "--vae-core N", "--model DIR", "--vae DIR", "--device NAME",
        "--dtype {auto,bfloat16,float32}", "--output DIR", "--stop-after {plan,semantic,latents}", "--from-take DIR",
        "--reuse {plan,semantic,latents}", "--resume DIR", "--threads N", "--allow-bad-score", "--json", "--quiet",
        "--verbose",
    ):  # fmt: skip
        assert option in text


def test_a_command_whose_module_is_not_there_is_not_offered(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MODULES", ("testmodel", "of_a_later_version"))
    assert "test-model" in cli("--help").out
    assert cli("render").status == 2


def test_options_that_were_given_are_named_as_typed() -> None:
    assert RequestOptions(style="a", lyrics_file=None, max_frames="5").given == ("--style", "--max-frames")
