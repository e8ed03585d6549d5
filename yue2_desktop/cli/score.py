"""`yue2-desktop score`: check, show, transpose, export, import and play scores."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yue2_desktop.cli.console import recovered, say
from yue2_desktop.cli.failures import OK, fail
from yue2_desktop.cli.options import add_talk_options, talk
from yue2_desktop.cli.report import report_for

_DESCRIPTION = """\
Works on scores: text files in the dialect of ABC that YuE2 writes and sings. What a file says in spite of errors is
shown, played and exported; the errors are counted, and 'check' tells each of them."""


def add(commands: Any) -> None:
    """Adds the command and its own sub-commands to argparse's."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "score", help="check, show, transpose, export, import and play scores", description=_DESCRIPTION
    )
    inner = parser.add_subparsers(title="what to do", dest="what", metavar="WHAT", required=True)
    _add_check(inner)
    _add_show(inner)
    _add_transpose(inner)
    _add_export(inner)
    _add_import(inner)
    _add_preview(inner)


def run(args: argparse.Namespace) -> int:
    """Does what was asked for; the exit status: `check` gives 1 for scores with errors."""
    how = talk(args)
    try:
        work: Callable[[argparse.Namespace], int] = args.work
        return work(args)
    except Exception as error:  # noqa: BLE001 - reported like every other end
        return fail(error, report_for(how), verbose=how.verbose)


def _command(inner: Any, name: str, summary: str, work: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = inner.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    parser.set_defaults(run=run, work=work)
    return parser


def _add_check(inner: Any) -> None:
    parser = _command(inner, "check", "tell what is wrong with scores, one line each; exits 1 on errors", _check)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    add_talk_options(parser)


def _add_show(inner: Any) -> None:
    parser = _command(inner, "show", "draw a score as PDF, SVG or PNG", _show)
    _files(parser, "FILE.pdf|.svg|.png", "what to write; several pages of SVG and PNG get numbers")
    parser.add_argument("--width", type=float, default=210.0, metavar="MM", help="width of a page (default 210)")
    parser.add_argument("--height", type=float, default=297.0, metavar="MM", help="height of a page (default 297)")
    parser.add_argument("--zoom", type=float, default=1.0, metavar="X", help="size of the staves, 0.57-1.5 (default 1)")
    parser.add_argument("--dpi", type=float, default=150.0, metavar="N", help="dots an inch of PNG (default 150)")
    parser.add_argument("--dark", action="store_true", help="light ink on dark paper")
    parser.add_argument("--plain", action="store_true", help="do not tint bars with errors and warnings")
    add_talk_options(parser)


def _add_transpose(inner: Any) -> None:
    parser = _command(inner, "transpose", "move notes, chords and key of a score by semitones", _transpose)
    _files(parser, "FILE.abc", "the new score")
    parser.add_argument("--semitones", type=int, required=True, metavar="N", help="up, or down with a minus sign")
    parser.add_argument(
        "--from-section", type=int, default=1, metavar="N", help="begin at the Nth section (default 1, the whole song)"
    )
    add_talk_options(parser)


def _add_export(inner: Any) -> None:
    parser = _command(inner, "export", "write a score for other programs", _export)
    _files(parser, "FILE", "its ending says the kind: .mid .musicxml .mei .abc .pdf .svg .png")
    parser.add_argument("--title", type=recovered, default="", metavar="TEXT", help="title for MusicXML, ABC and PDF")
    parser.add_argument(
        "--lyrics-file", type=Path, metavar="FILE", help="lay these words under the Vocal's notes in MusicXML"
    )
    parser.add_argument("--language", metavar="CODE", help="language of the words, such as de (default: guessed)")
    add_talk_options(parser)


def _add_import(inner: Any) -> None:
    parser = _command(inner, "import", "make a score from MIDI, MusicXML or ordinary ABC", _import)
    parser.add_argument("file", type=Path, metavar="FILE.mid|.musicxml|.mxl|.abc")
    parser.add_argument("--output", type=Path, metavar="FILE.abc", help="the new score (default: standard output)")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there already")
    parser.add_argument("--part", type=recovered, metavar="NAME", help="the track, part or voice that has the melody")
    add_talk_options(parser)


def _add_preview(inner: Any) -> None:
    parser = _command(inner, "preview", "play a score on a small synthesizer into a sound file", _preview)
    _files(parser, "FILE.wav|.flac", "the sound")
    for part, usual in (("vocal", 1.0), ("ins", 1.0), ("chords", 0.7), ("click", 0.0)):
        parser.add_argument(
            f"--{part}", type=float, default=usual, metavar="0-1", help=f"loudness of the {part} (default {usual:g})"
        )
    add_talk_options(parser)


def _files(parser: argparse.ArgumentParser, output: str, about: str) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--output", type=Path, required=True, metavar=output, help=about)
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there already")


def _check(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_check import check

    return check(args.files, sys.stdout, as_json=talk(args).json)


def _show(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_files import show

    return _tell(args, show(args))


def _transpose(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_check import write_transposed
    from yue2_desktop.cli.score_files import Done, require_new

    require_new(args.output, overwrite=True, endings=(".abc", ".txt"))
    sentence = write_transposed(
        args.file, args.semitones, args.output, from_section=args.from_section - 1, overwrite=args.overwrite
    )
    return _tell(args, Done((args.output,), (sentence,)))


def _export(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_files import export

    return _tell(args, export(args))


def _import(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_files import import_score

    done = import_score(args)
    if done.text is not None and not talk(args).json:
        sys.stdout.write(done.text)
    return _tell(args, done)


def _preview(args: argparse.Namespace) -> int:
    from yue2_desktop.cli.score_files import preview

    return _tell(args, preview(args))


def _tell(args: argparse.Namespace, done: Any) -> int:
    """Say what was done: sentences on stderr, or one JSON object on stdout."""
    how = talk(args)
    if how.json:
        print(json.dumps(done.to_json(), ensure_ascii=True), flush=True)
    elif not how.quiet:
        for sentence in done.sentences:
            say(sentence)
    return OK
