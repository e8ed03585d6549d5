"""`yue2-desktop render`: a song from style and lyrics, or the rest of one that was begun."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yue2_desktop.cli.failures import fail
from yue2_desktop.cli.options import (
    Machine,
    RequestOptions,
    Talk,
    add_machine_options,
    add_model_options,
    add_sampling_options,
    add_song_options,
    add_talk_options,
    machine,
    request_options,
    talk,
)
from yue2_desktop.cli.plan_options import add_plan_options, plan_choices
from yue2_desktop.cli.report import Report, report_for
from yue2_desktop.engine.cuda.environment import prepare_allocator
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem, ProblemKind

if TYPE_CHECKING:
    from yue2_desktop.cli.order import Order

_STOPS = (TakeStage.PLAN, TakeStage.SEMANTIC, TakeStage.LATENTS)

_DESCRIPTION = """\
Makes a song from a style and lyrics: first a score (score.abc), then the singing as tokens, the sound as latents,
and at last the audio (audio.flac). Each is saved in the output folder as soon as it is done."""
_EPILOG = """\
Examples:
  yue2-desktop render --style "English, piano pop, warm female voice, slow" --lyrics-file words.txt --output my-song
  yue2-desktop render --request song.json --seed 7 --output take-7
  yue2-desktop render --from-take my-song --reuse plan --seed 8 --output other-voice     the same score, sung anew
  yue2-desktop render --from-take draft --reuse semantic --ode-steps 32 --output final   the same song, cleaner
  yue2-desktop render --resume my-song                                                   after Ctrl-C or a crash"""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "render", help="make a song from style and lyrics", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_song_options(parser)
    add_sampling_options(parser)
    add_plan_options(parser)
    add_model_options(parser)
    add_machine_options(parser)
    course = parser.add_argument_group("the take")
    course.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="a new or empty folder for the files of the song (default: a new one among your takes)",
    )
    course.add_argument("--stop-after", choices=_STOPS, help="end after the score, the tokens or the latents")
    course.add_argument(
        "--from-take",
        type=Path,
        metavar="DIR",
        help="make a new take from the finished stages of another, with its words and settings where you give none",
    )
    course.add_argument(
        "--reuse", choices=_STOPS, help="how much of that take is kept (default: its furthest finished stage)"
    )
    course.add_argument(
        "--resume",
        type=Path,
        metavar="DIR",
        help="go on with an interrupted take in its own folder, from the last token or step",
    )
    course.add_argument(
        "--allow-bad-score",
        action="store_true",
        help="sing a supplied score even if it has mistakes, and one that the model left unfinished",
    )
    course.add_argument("--run-anyway", action="store_true", help="try a song even if it does not fit this machine")
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the take; the exit status."""
    how = talk(args)
    report = report_for(how)
    try:
        order = _order(args, report)
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)
    return _make(order, how, report)


def _make(order: Order, how: Talk, report: Report) -> int:
    prepare_allocator()
    from yue2_desktop.cli.making import make

    return make(order, how, report)


def _order(args: argparse.Namespace, report: Report) -> Order:
    from yue2_desktop.cli.orders import Course, continued, fresh, resumed

    song, where = request_options(args), machine(args)
    choices = plan_choices(args, where.dtype)
    course = Course(
        output=args.output,
        last=TakeStage(args.stop_after) if args.stop_after else None,
        model=args.model,
        vae=args.vae,
        machine=where,
        ode_steps=choices.ode_steps if args.ode_steps is not None else None,
        ode_method=args.ode_method,
        vae_core=choices.options.vae_core,
        options=choices.options,
        run_anyway=args.run_anyway,
        allow_bad_score=args.allow_bad_score,
    )
    if args.resume is not None:
        _refuse_with_resume(args, song, where)
        return resumed(args.resume, course, report)
    if args.from_take is not None:
        reuse = TakeStage(args.reuse) if args.reuse else None
        return continued(args.from_take, reuse, song, course, report)
    if args.reuse is not None:
        raise Problem(ProblemKind.BAD_REQUEST, "--reuse needs the take to reuse; name its folder with --from-take.")
    return fresh(song, course, report)


def _refuse_with_resume(args: argparse.Namespace, song: RequestOptions, where: Machine) -> None:
    others = {
        "--from-take": args.from_take,
        "--reuse": args.reuse,
        "--output": args.output,
        "--ode-steps": args.ode_steps,
        "--vae-core": args.vae_core,
        "--ode-method": args.ode_method,
        "--mode": None if args.mode == "auto" else args.mode,
        "--ar-precision": None if args.ar_precision == "auto" else args.ar_precision,
        "--nar-residency": None if args.nar_residency == "auto" else args.nar_residency,
        "--device": where.device,
        "--dtype": where.dtype,
    }
    refused = [*song.given, *(name for name, value in others.items() if value is not None)]
    if refused:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{', '.join(refused)} cannot be given with --resume, which goes on exactly as the take was begun; "
            "to change something, make a new take with --from-take.",
            options=refused,
        )
