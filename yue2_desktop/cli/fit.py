"""`yue2-desktop fit`: whether this song fits this machine now, with which plan, memory, disk and time."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yue2_desktop import settings
from yue2_desktop.cli.console import say
from yue2_desktop.cli.options import (
    add_machine_options,
    add_model_options,
    add_sampling_options,
    add_song_options,
    machine,
    request_options,
)
from yue2_desktop.cli.plan_options import (
    PlanChoices,
    add_plan_options,
    add_pretend_option,
    calibration_file,
    options_for,
    plan_choices,
    pretended_card,
)
from yue2_desktop.cli.song_request import Song, new_song
from yue2_desktop.engine.cuda.known import with_known_attention
from yue2_desktop.plan.calibration import load_calibration
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.fit import fit_report
from yue2_desktop.plan.fit_text import fit_text
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.probe import Probed, read_machine
from yue2_desktop.plan.shape import RELEASED, ModelShape
from yue2_desktop.plan.song_demand import song_demand
from yue2_desktop.plan.weights import RELEASED_WEIGHTS, Inventory
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.length import length_notices

if TYPE_CHECKING:
    from yue2_desktop.cli.opened import OpenedFiles

_DESCRIPTION = """\
Says before anything is computed whether a song fits this machine as it is now: which plan would be taken and why,
what it needs of the card, of memory and of the disk, what else uses the card, and how long it takes once this
machine has been measured. Nothing is written and no model is loaded.

Exit status: 0 it fits (or cannot be known), 2 something must be mended, 3 it does not fit."""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "fit", help="say whether a song fits this machine, and what it takes", description=_DESCRIPTION
    )
    add_song_options(parser)
    add_sampling_options(parser)
    add_plan_options(parser)
    add_model_options(parser)
    add_machine_options(parser)
    parser.add_argument("--output", type=Path, metavar="DIR", help="where the take would go: its disk is looked at")
    add_pretend_option(parser)
    parser.add_argument(
        "--measure",
        action="store_true",
        help="first measure this machine, about 10 seconds, so that times can be told",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the text")
    # Options of `render` that change nothing here, so that its command line can be checked as it stands.
    parser.add_argument("--stop-after", help=argparse.SUPPRESS)
    for option in ("--allow-bad-score", "--quiet"):
        parser.add_argument(option, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--verbose", action="store_true", help="print the program's own traceback with an error")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the check; the exit status. Raises Problem for what must be mended first."""
    wanted = machine(args)
    song = new_song(request_options(args))
    choices = plan_choices(args, wanted.dtype)
    chosen = settings.load().settings
    probed = read_machine(args.output if args.output is not None else chosen.output_folder)
    here = with_known_attention(probed.machine, next(iter(probed.machine.gpus or ()), None))
    model = args.model if args.model is not None else chosen.model_dir
    vae = args.vae if args.vae is not None else chosen.vae_dir
    found = _found(model, vae)
    inventory, shape = _weights(found)
    check = Check(
        demand=_demand(song, choices, found),
        options=options_for(choices.options, wanted.dtype or "auto", None),
        device=wanted.device or "auto",
        pretend=pretended_card(args),
        inventory=inventory,
        calibration=load_calibration(calibration_file()),
        shape=shape,
    )
    planning = check_fit(here, check)
    if args.measure:
        say("Measuring this machine; this takes about 10 seconds.")
        from yue2_desktop.cli.measuring import measure

        measure(probed.machine, planning.gpu, check.device)
        planning = check_fit(here, replace(check, calibration=load_calibration(calibration_file())))
    return _print_json(planning, check) if args.json else _print_text(planning, check, song, probed)


def _found(model: Path, vae: Path) -> OpenedFiles | None:
    """The model that is there, opened; None before it is there whole, and the released one is planned for.

    Raises Problem for one that is damaged.
    """
    if not model.exists():
        return None
    from yue2_desktop.cli.opened import open_files

    try:
        return open_files(model, vae if vae.exists() else None)
    except Problem as problem:
        if problem.kind is ProblemKind.MODEL_MISSING:
            return None  # not all of it is there yet
        raise


def _demand(song: Song, choices: PlanChoices, found: OpenedFiles | None) -> SongDemand:
    """What the song asks for: counted with the model's tokenizer where it is there, else bounded."""
    steps, method = choices.ode_steps, choices.ode_method
    if found is None or found.model is None:
        return song_demand(song.request, song.abc, song.semantic, ode_steps=steps, ode_method=method)
    from yue2_desktop.engine.text.prompt import prompt_text

    tokenizer = found.model.tokenizer
    return song_demand(
        song.request,
        song.abc,
        song.semantic,
        ode_steps=steps,
        ode_method=method,
        text_tokens=len(tokenizer.encode(prompt_text(song.request))),
        abc_tokens=None if song.request.abc is None else len(tokenizer.encode(song.request.abc)),
    )


def _weights(found: OpenedFiles | None) -> tuple[Inventory, ModelShape]:
    """What there is to choose from, and its dimensions."""
    if found is None or found.model is None:
        return RELEASED_WEIGHTS, RELEASED
    from yue2_desktop.cli.planning import shape_of
    from yue2_desktop.engine.inventory import inventory_of

    return inventory_of(found.model), shape_of(found.model, found.vae)


def _print_json(planning: Planning, check: Check) -> int:
    report = fit_report(planning, check.options.mode)
    print(json.dumps(report.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
    return report.exit_code


def _print_text(planning: Planning, check: Check, song: Song, probed: Probed) -> int:
    print(fit_text(planning))
    for sentence in (*song.notes, *length_notices(song.request.style, song.request.lyrics), *probed.unread):
        print(f"Note: {sentence}")
    report = fit_report(planning, check.options.mode)
    if report.exit_code:
        say("This song does not fit as asked; nothing was started.")
    return report.exit_code
