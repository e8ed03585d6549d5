"""The two commands of a checkout: `python3 packaging/dev.py run` and `python3 packaging/dev.py test`.

`run` sets the program up and lets it make a first song; `test` sets it up and runs all checks and tests.
Everything goes into `.venv`, `build` and `first-song` of the checkout. Any Python can start this file: it hands
over to one that the program supports.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

import interpreters

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main(arguments: list[str]) -> int:
    """Do what was asked; the exit status is that of what failed, and 130 for Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        # Line by line, to stay in order with what pip and pytest print; and a path that the code page
        # of a Windows pipe cannot show must not end the set-up.
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    parser = argparse.ArgumentParser(prog="dev.py", description="Set YuE2 Desktop up in this checkout, then:")
    commands = parser.add_subparsers(dest="command", required=True, metavar="run | test")
    commands.add_parser("run", help="make a first song with the built-in test model")
    test = commands.add_parser("test", help="run all checks and tests")
    test.add_argument("pytest", nargs="*", metavar="-- PYTEST ARGUMENTS", help="passed on to pytest")
    asked = parser.parse_args(arguments)
    try:
        if not interpreters.is_supported(interpreters.this_one()):
            other = interpreters.find_supported(interpreters.candidates(windows=os.name == "nt"))
            if other is None:
                print(interpreters.what_is_missing(interpreters.this_one()), file=sys.stderr)
                return 1
            return subprocess.call([*other, os.path.abspath(__file__), *arguments])
        return _run() if asked.command == "run" else _test(asked.pytest)
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130


def _run() -> int:
    from pathlib import Path

    import first_song
    import window
    from environment import SetUpError, set_up

    root = Path(ROOT)
    try:
        python = set_up(root, for_tests=False)
    except SetUpError as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    if window.can_open(root):
        return window.open_and_wait(python, root)
    return first_song.make(python, root)


def _test(pytest_arguments: list[str]) -> int:
    from pathlib import Path

    import checks
    from environment import SetUpError, set_up

    root = Path(ROOT)
    try:
        python = set_up(root, for_tests=True)
    except SetUpError as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    return checks.run_all(checks.table(python, pytest_arguments), root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
