"""`yue2-desktop plan`: the score alone."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.options import (
    add_machine_options,
    add_model_options,
    add_sampling_options,
    add_song_options,
    add_talk_options,
    machine,
    request_options,
    talk,
)
from yue2_desktop.cli.report import report_for
from yue2_desktop.engine.cuda.environment import prepare_allocator
from yue2_desktop.library.names import SCORE, TakeStage
from yue2_desktop.song.textfile import read_utf8

_DESCRIPTION = """\
Lets the model write a score and stops there. The score is printed, and saved as score.abc with all that is needed
to sing it: 'yue2-desktop render --from-take DIR --output SONG' sings this very score,
'yue2-desktop render --abc-file score.abc ...' one that you have edited."""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "plan", help="write only the score, and print it", description=_DESCRIPTION
    )
    add_song_options(parser)
    add_sampling_options(parser, semantic=False)
    add_model_options(parser, vae=False)
    add_machine_options(parser)
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="a new or empty folder (default: a new one among your takes)"
    )
    parser.add_argument("--allow-bad-score", action="store_true", help="take a supplied score even if it has mistakes")
    parser.add_argument("--run-anyway", action="store_true", help="try it even if it does not fit this machine")
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the score; the exit status."""
    how = talk(args)
    report = report_for(how, summary_on_stdout=False)
    try:
        from yue2_desktop.cli.orders import Course, fresh

        course = Course(
            output=args.output,
            last=TakeStage.PLAN,
            model=args.model,
            vae=None,
            machine=machine(args),
            run_anyway=args.run_anyway,
            allow_bad_score=args.allow_bad_score,
        )
        order = fresh(request_options(args), course, report)
        prepare_allocator()
        from yue2_desktop.cli.making import make

        status = make(order, how, report)
        score = order.folder / SCORE
        if status == OK and not (how.json or how.quiet) and score.exists():
            sys.stdout.write(_printable(read_utf8(score, "score")))
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)
    return status


def _printable(score: str) -> str:
    """The score as it is for a pipe or a file; in a terminal without control characters, which could command it."""
    if not sys.stdout.isatty():
        return score
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in score)
