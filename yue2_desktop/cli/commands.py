"""The commands of the program: one table, and the parser that is made from it."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from yue2_desktop import __version__

_PACKAGE: Final = "yue2_desktop.cli"
#: Modules of this package in the order of the help. Each has `add(commands)`, which adds its parser to argparse's
#: sub-commands with `set_defaults(run=...)`; `run(args)` returns the exit status. A module may arrive later: what
#: is not there is not offered. They must import neither torch nor numpy at the top, so that --help is instant.
MODULES: Final = ("app", "render", "plan", "decode", "score", "fit", "inspect", "convert", "bench", "testmodel")
_WINDOW: Final = ("app",)

_DESCRIPTION: Final = """\
Makes songs from a style and lyrics, on your own machine and offline.

A song is made in four stages: a score, the singing as tokens, the sound as latents, and the audio.
Each stage is saved as soon as it is done; what was interrupted goes on with 'render --resume FOLDER'."""
_EPILOG: Final = """\
To begin:
  yue2-desktop test-model demo
  yue2-desktop render --style "English, folk, guitar, warm voice" --lyrics-file words.txt \\
      --model demo/model --vae demo/vae --max-frames 250 --output my-song

Exit status: 0 done, 1 failed, 2 something in the command or its files must be mended, 3 does not fit in memory,
130 stopped with Ctrl-C. 'yue2-desktop COMMAND --help' explains a command."""


@dataclass(frozen=True)
class Command:
    """What was asked for: the parsed options, and what carries them out."""

    args: argparse.Namespace
    run: Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    """Keeps to whole option names, and says what is wrong in one line that points to the help."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see '{self.prog} --help'.\n")


def parser(modules: Sequence[str] = MODULES) -> argparse.ArgumentParser:
    """The parser of the whole command line, with every command that this version has, or those of `modules` alone."""
    top = _Parser(prog="yue2-desktop", description=_DESCRIPTION, epilog=_EPILOG)
    top.add_argument("--version", action="version", version=f"YuE2 Desktop {__version__}")
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND", parser_class=_Parser)
    for name in modules:
        full_name = f"{_PACKAGE}.{name}"
        if importlib.util.find_spec(full_name) is not None:
            importlib.import_module(full_name).add(commands)
    return top


def parse(argv: Sequence[str]) -> Command | None:
    """The command in `argv` (without the program's name); None where there is none, after printing the help.

    Ends the process (SystemExit) for --help and --version with 0, for what cannot be understood with 2.
    """
    # The window is to be seen before the modules of all other commands are loaded.
    top = parser(_WINDOW if tuple(argv[:1]) == _WINDOW else MODULES)
    args, unknown = top.parse_known_args(argv)
    if unknown:
        # The top parser would name itself, and point to a help in which the option in question cannot be looked up.
        top.prog = f"{top.prog} {args.command}" if args.command else top.prog
        top.error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.command is None:
        top.print_help()
        return None
    return Command(args, args.run)
