"""`yue2-desktop convert`: a smaller model file of one's own from the 16-bit checkpoint."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from yue2_desktop.cli.durations import about, spent
from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.options import Talk, add_talk_options, talk
from yue2_desktop.cli.report import report_for
from yue2_desktop.song.atomic import leftovers
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.wording import path_text

_DESCRIPTION = """\
Makes a GGUF file from the folder of the YuE2-3B checkpoint, for machines with less memory. The half that composes
(AR) is rounded to the type you choose: q8_0 was not told from the original in a blind test that others made, q5_0
and q4_0 are smaller and coarser. The half that sounds (NAR) stays as it is, or becomes q8_0. The file is read back
before it gets its name; the checkpoint is not changed. Programs that take Serveurperso/YuE2-GGUF can read it.

Example:
  yue2-desktop convert --to q8_0 models/YuE2-3B YuE2-3B-Q8_0.gguf"""

_TYPES: Final = ("q8_0", "q5_0", "q4_0")
_EVERY_S: Final = {True: 0.2, False: 10.0}


def add(commands: Any) -> None:
    """Adds the command to argparse's sub-commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "convert", help="make a smaller model file from the checkpoint", description=_DESCRIPTION
    )
    parser.add_argument("source", type=Path, metavar="SRC", help="the checkpoint: its folder, or a BF16 GGUF")
    parser.add_argument("destination", type=Path, metavar="DST", help="the new .gguf file, or a folder to put it in")
    parser.add_argument("--to", choices=_TYPES, required=True, help="type of the half that composes")
    parser.add_argument(
        "--nar", choices=("bf16", "q8_0"), default="bf16", help="type of the half that sounds (default: bf16)"
    )
    add_talk_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Makes the file; the exit status."""
    how = talk(args)
    report = report_for(how)
    try:
        path, nbytes, seconds = _convert(args, how)
        if how.json:
            from yue2_desktop.cli.events import event

            event("result", path=path_text(path), bytes=nbytes, seconds=seconds)
        elif not how.quiet:
            print(f"{path_text(path)}: {nbytes / 1e9:.2f} GB in {spent(seconds)}, read back and whole.", flush=True)
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report, verbose=how.verbose)
    return OK


def _convert(args: argparse.Namespace, how: Talk) -> tuple[Path, int, float]:
    from yue2_desktop.cli.interrupt import Interruptible
    from yue2_desktop.engine.quant.blocks import BF16, Q8_0
    from yue2_desktop.engine.quant.packing import WRITABLE
    from yue2_desktop.engine.weights.convert import Conversion, convert
    from yue2_desktop.engine.weights.open import open_model_at

    destination = _file_to_make(args.destination, f"YuE2-3B-{args.to.upper()}.gguf")
    destination.parent.mkdir(parents=True, exist_ok=True)
    conversion = Conversion(WRITABLE[args.to], Q8_0 if args.nar == "q8_0" else BF16)
    started = time.monotonic()
    with Interruptible() as interruptible:
        interruptible.last_words = _tidy(destination.parent)
        model = open_model_at(args.source)
        nbytes = convert(model, destination, conversion, _progress(how), interruptible.cancel)
    return destination, nbytes, time.monotonic() - started


def _file_to_make(asked: Path, name: str) -> Path:
    """The file meant by `asked`, which is one or a folder to put `name` in. Raises Problem for another kind of file."""
    if asked.is_dir():
        return asked / name
    suffix = asked.suffix.lower()
    if suffix == ".gguf":
        return asked
    if asked.exists() or suffix in {".safetensors", ".bin", ".ggml", ".pt", ".pth"}:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{path_text(asked)} is no folder and no name of a GGUF file. Let the name end in .gguf.",
            path=str(asked),
        )
    return asked / name


def _tidy(folder: Path) -> Callable[[], None]:
    """For a forced end in the middle of a long write: removes what this run has begun, gigabytes perhaps."""
    before = set(leftovers(folder))

    def tidy() -> None:
        for path in set(leftovers(folder)) - before:
            path.unlink(missing_ok=True)

    return tidy


def _progress(how: Talk) -> Callable[[int, int], None]:
    """Tells how far it is, now and then: a line that counts up in a terminal, lines elsewhere, JSON, or nothing."""
    live = sys.stderr.isatty()
    started = time.monotonic()
    last = started - _EVERY_S[live]

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if how.quiet or (now - last < _EVERY_S[live or how.json] and done < total):
            return
        last = now
        if how.json:
            from yue2_desktop.cli.events import event

            event("progress", stage="convert", done=done, total=total, unit="bytes")
            return
        left = about((now - started) * (total - done) / done) if done else "?"
        line = f"Converting  {100 * done // total} %, {left} left"
        ending = "\r" if live and done < total else "\n"
        sys.stderr.write(f"{line:<50}{ending}" if live else f"{line}\n")
        sys.stderr.flush()

    return tell
