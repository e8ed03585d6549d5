"""`yue2-desktop inspect`: what a take, a model folder or a single file is."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from yue2_desktop.cli.failures import FAILED, OK, fail
from yue2_desktop.cli.options import add_talk_options, talk
from yue2_desktop.cli.report import report_for

_DESCRIPTION = """\
Says what a folder or file is and whether it is whole: a take, the folder of a model or of an audio decoder, a
weights file, saved latents, or an audio file. The exit status is 1 where something is wrong with it."""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "inspect", help="say what a take, a model folder or a file is", description=_DESCRIPTION
    )
    parser.add_argument("place", type=Path, metavar="DIR|FILE", help="what to look at")
    parser.add_argument(
        "--hash", action="store_true", help="compute the sha256 of its files as well (a whole model takes a while)"
    )
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints what it is; the exit status."""
    how = talk(args)
    report = report_for(how)
    try:
        from yue2_desktop.cli.inspected import inspected

        found = inspected(args.place, hashes=args.hash)
        if how.json:
            print(json.dumps({"event": "result", **found.to_json()}, ensure_ascii=True), flush=True)
        elif not how.quiet:
            for line in found.lines():
                print(line)
            for problem in found.problems:
                print(f"Problem: {problem}")
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)
    return FAILED if found.problems else OK
