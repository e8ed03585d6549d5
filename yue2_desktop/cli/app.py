"""`yue2-desktop app`, or no command at all where there is a screen: opens the window."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yue2_desktop.song.errors import Problem, ProblemKind

_DESCRIPTION = """\
Opens the window: words, score, takes. FILE may be a song, lyrics, a score, a sound that was exported here, or the
folder of a take. 'yue2-desktop FILE' does the same, and 'yue2-desktop' alone where there is a screen."""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser("app", help="open the window", description=_DESCRIPTION)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="what to open in it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Opens the window and returns its exit status when it is closed.

    Raises Problem(UNSUPPORTED) where Qt or a library that it needs is missing.
    """
    try:
        from yue2_desktop.ui.app import run as run_window
    except ImportError as error:
        raise Problem(
            ProblemKind.UNSUPPORTED,
            f"The window cannot be opened: {error}. Install YuE2 Desktop again, and on Linux the libraries that Qt "
            "needs (libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0).",
        ) from error
    return run_window([] if args.file is None else [str(args.file)])


def with_window(argv: Sequence[str], platform: str, variables: Mapping[str, str]) -> Sequence[str]:
    """The command line, with the window's command where none was given: for a file, as "Open with" gives it, always,
    and for nothing at all where there is a screen to open it on.
    """
    if len(argv) == 1 and _is_file(argv[0]):
        return ["app", *argv]
    has_screen = platform == "win32" or any(variables.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return ["app"] if not argv and has_screen else argv


def _is_file(word: str) -> bool:
    """Whether a word is the path of a file or a folder: commands are single words without an ending."""
    path = Path(word)
    return not word.startswith("-") and (path.suffix != "" or len(path.parts) > 1)
