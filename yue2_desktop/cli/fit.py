"""`yue2-desktop fit`: whether this song fits this machine now, with which plan, memory, disk and time."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from yue2_desktop import paths, settings
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
    plan_choices,
    pretended_card,
)
from yue2_desktop.cli.song_request import Song, new_song
from yue2_desktop.plan.calibration import load_calibration
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand, text_token_bound
from yue2_desktop.plan.fit import fit_report
from yue2_desktop.plan.fit_text import fit_text
from yue2_desktop.plan.plans import Planning
from yue2_desktop.plan.probe import Probed, read_machine
from yue2_desktop.plan.shape import RELEASED, ModelShape, shape_from_config
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.length import length_notices, length_of
from yue2_desktop.song.render_settings import OdeMethod
from yue2_desktop.song.textfile import read_json

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
    model = args.model if args.model is not None else chosen.model_dir
    vae = args.vae if args.vae is not None else chosen.vae_dir
    check = Check(
        demand=song_demand(song, choices, model),
        options=choices.options,
        device=wanted.device or "auto",
        pretend=pretended_card(args),
        calibration=load_calibration(calibration_file()),
        shape=model_shape(model, vae),
    )
    planning = check_fit(probed.machine, check)
    return _print_json(planning, check) if args.json else _print_text(planning, check, song, probed)


def calibration_file() -> Path:
    """Where this machine's measurements are kept."""
    return paths.cache_folder() / "calibration.json"


def song_demand(song: Song, choices: PlanChoices, model: Path) -> SongDemand:
    """What the song asks for: counted with the model's tokenizer where it is there, else bounded."""
    request = song.request
    length = length_of(request.lyrics, request.style)
    method: OdeMethod = "ab2" if choices.ode_method == "ab2" else "midpoint"
    demand = SongDemand(
        text_tokens=text_token_bound(request.style, request.lyrics),
        abc_tokens=None if request.abc is None else len(request.abc.encode("utf-8")),
        abc_ceiling=song.abc.max_tokens,
        frames_ceiling=song.semantic.max_tokens,
        frames_expected=None if length.instrumental else min(length.expected_frames, song.semantic.max_tokens),
        cot=request.cot,
        guidance=request.guidance,
        ode_steps=choices.ode_steps,
        ode_method=method,
        bounded=True,
    )
    vocabulary = model / "qwen.tiktoken"
    if not vocabulary.is_file():
        return demand
    from yue2_desktop.engine.text.prompt import prompt_text
    from yue2_desktop.engine.text.tokenizer import Tokenizer

    tokenizer = Tokenizer.from_file(vocabulary)
    return replace(
        demand,
        text_tokens=len(tokenizer.encode(prompt_text(request))),
        abc_tokens=None if request.abc is None else len(tokenizer.encode(request.abc)),
        bounded=False,
    )


def model_shape(model: Path, vae: Path) -> ModelShape:
    """The dimensions in the folders' config.json, those of the release where there is none.

    Raises Problem(MODEL_DAMAGED) or (BAD_FILE) for a configuration that cannot be used.
    """
    configs = [_config(folder / "config.json") for folder in (model, vae)]
    if configs[0] is None:
        return RELEASED
    return shape_from_config(configs[0], configs[1])


def _config(path: Path) -> dict[str, object] | None:
    if not path.is_file():
        return None
    value = read_json(path, "configuration")
    if not isinstance(value, dict):
        raise Problem(ProblemKind.MODEL_DAMAGED, f"{path} is not the configuration of a model; copy it again.")
    return value


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
