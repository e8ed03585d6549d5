"""The command that opens the window, and when it is meant without being named."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from yue2_desktop.cli.app import with_window
from yue2_desktop.cli.commands import parse


@pytest.mark.parametrize(
    ("argv", "platform", "variables", "meant"),
    [
        ([], "linux", {"DISPLAY": ":0"}, ["app"]),
        ([], "linux", {"WAYLAND_DISPLAY": "wayland-0"}, ["app"]),
        ([], "linux", {"DISPLAY": ""}, []),
        ([], "win32", {}, ["app"]),
        (["fit"], "win32", {}, ["fit"]),
        (["--help"], "linux", {"DISPLAY": ":0"}, ["--help"]),
        (["my song.yue2song"], "linux", {}, ["app", "my song.yue2song"]),
        (["/home/me/takes/one"], "linux", {"DISPLAY": ":0"}, ["app", "/home/me/takes/one"]),
        (["fit", "a.yue2song"], "linux", {"DISPLAY": ":0"}, ["fit", "a.yue2song"]),
        (["nonsense"], "linux", {"DISPLAY": ":0"}, ["nonsense"]),
    ],
)
def test_what_is_meant(argv: list[str], platform: str, variables: dict[str, str], meant: list[str]) -> None:
    assert with_window(argv, platform, variables) == meant


@pytest.mark.parametrize("argv", [["app"], ["app", "songs/a.yue2song"]])
def test_the_window_gets_the_file(argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[list[str]] = []

    class Window(ModuleType):
        @staticmethod
        def run(files: list[str]) -> int:
            opened.append(files)
            return 0

    monkeypatch.setitem(sys.modules, "yue2_desktop.ui.app", Window("yue2_desktop.ui.app"))
    command = parse(argv)
    assert command is not None
    assert command.run(command.args) == 0
    assert opened == [[str(Path(name)) for name in argv[1:]]]
