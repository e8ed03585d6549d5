"""`yue2-desktop decode`: latents to audio."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.options import (
    add_machine_options,
    add_model_options,
    add_talk_options,
    machine,
    talk,
    whole_number,
)
from yue2_desktop.cli.report import Report, StageEnd, report_for
from yue2_desktop.engine.cuda.environment import prepare_allocator
from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

_DESCRIPTION = """\
Turns the latents of a take, or a latent.npy, into an audio file: with another decoder, in another format, or after
a render that was stopped with --stop-after latents. The take itself is not touched."""


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "decode", help="turn saved latents into audio", description=_DESCRIPTION
    )
    parser.add_argument("source", type=Path, metavar="DIR|FILE.npy", help="a take, or the file of its latents")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="the audio file to make: .flac (24 bit) or .wav (32-bit float)",
    )
    parser.add_argument("--vae-core", metavar="N", help="frames at a time (default 1024); smaller needs less memory")
    add_model_options(parser, model=False)
    add_machine_options(parser, dtype=False)
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the audio file; the exit status."""
    how = talk(args)
    report = report_for(how)
    try:
        return _run(args, report)
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)


def _run(args: argparse.Namespace, report: Report) -> int:
    from yue2_desktop.cli.model_folders import user_settings, vae_folder
    from yue2_desktop.library.audio_file import require_audio_name, write_audio
    from yue2_desktop.library.stage_files import load_latents, load_latents_file

    output: Path = args.output
    where = machine(args)
    core = None if args.vae_core is None else whole_number("--vae-core", args.vae_core, least=1)
    require_audio_name(output)
    _require_new(output)
    latents = load_latents(args.source) if args.source.is_dir() else load_latents_file(args.source)
    chosen = user_settings(report)
    folder = vae_folder(args.vae, chosen)

    prepare_allocator()
    from yue2_desktop.cli.interrupt import Interruptible
    from yue2_desktop.cli.opened import open_all
    from yue2_desktop.cli.summary import SoundSummary, levels_of
    from yue2_desktop.engine.device import choose_device, configure_torch
    from yue2_desktop.engine.pipeline import Watch

    with Interruptible() as interruptible:
        configure_torch(where.threads or chosen.threads)
        opened = open_all(choose_device(where.device or "auto", "float32"), None, folder)
        report.begins(TakeStage.AUDIO)
        started = time.monotonic()
        audio = opened.decode(latents, core, Watch(on_progress=report.progress, cancel=interruptible.cancel))
        _make_folder(output)
        write_audio(output, audio)
        report.ends(StageEnd(TakeStage.AUDIO, "made", time.monotonic() - started, len(audio)))
    report.finishes(SoundSummary(path_text(output), len(latents), len(audio), levels_of(audio)))
    return OK


def _require_new(output: Path) -> None:
    if output.exists() or output.is_symlink():
        place = path_text(output)
        raise Problem(
            ProblemKind.OUTPUT_EXISTS, f"{place} exists already; name a new file, so that nothing is lost.", path=place
        )


def _make_folder(output: Path) -> None:
    from yue2_desktop.song.disk_errors import write_problem

    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_problem(output, error) from error
