"""`yue2-desktop test-model`: the built-in test model, to try every stage without a download."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.options import add_talk_options, talk
from yue2_desktop.cli.report import report_for
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "test-model",
        help="make the small built-in model, to try the program with",
        description=(
            "Writes a tiny model (about 100 MB) into two folders, DIR/model and DIR/vae. Every stage of a render works "
            "with it on any machine, in seconds. Its weights are random: what you hear is noise."
        ),
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where to put it; what is whole already stays")
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the model; the exit status."""
    how = talk(args)
    report = report_for(how)
    try:
        from yue2_desktop.cli.keeping import in_shell
        from yue2_desktop.engine.weights.testmodel import materialise

        _require_ours(args.folder)
        try:
            made = materialise(args.folder)
        except OSError as error:
            raise Problem(
                ProblemKind.BAD_FILE,
                f"The test model could not be written to {path_text(args.folder)} ({error.strerror or error}); "
                "choose another folder.",
            ) from error
        if how.json:
            from yue2_desktop.cli.events import event

            event("result", model=path_text(made.model_dir), vae=path_text(made.vae_dir))
        elif not how.quiet:
            print(f"The test model is in {path_text(args.folder)}. Its weights are random: what it makes is noise.")
            print(f"Use it with --model {in_shell(made.model_dir)} --vae {in_shell(made.vae_dir)}")
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)
    return OK


def _require_ours(folder: Path) -> None:
    """Refuses a folder whose `model` or `vae` holds another model: it would be written over."""
    from yue2_desktop.paths import resources

    for name, ours in (("model", "mot"), ("vae", "vae")):
        config, weights = folder / name / "config.json", folder / name / "model.safetensors"
        own = (resources() / "test-model" / ours / "config.json").read_bytes()
        foreign = config.read_bytes() != own if config.is_file() else weights.exists()
        if foreign:
            place = path_text(folder / name)
            raise Problem(
                ProblemKind.OUTPUT_EXISTS,
                f"{place} holds another model, which would be written over; choose another folder.",
                path=place,
            )
