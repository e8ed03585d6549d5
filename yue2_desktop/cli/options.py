"""The options that several commands share: declared once, and read from argparse into typed values."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path

from yue2_desktop.cli.console import recovered
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import COTS
from yue2_desktop.song.wording import shown

_DTYPES = ("auto", "bfloat16", "float32")
_LARGEST = 10**9


@dataclass(frozen=True)
class RequestOptions:
    """What the command line says about the song, as typed; None where it says nothing."""

    request: Path | None = None
    style: str | None = None
    lyrics: str | None = None
    lyrics_file: Path | None = None
    cot: str | None = None
    abc_file: Path | None = None
    seed: str | None = None
    cfg_scale: str | None = None
    abc_sampling: str | None = None
    semantic_sampling: str | None = None
    max_frames: str | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The options that were given, as they are typed: `--lyrics-file` and so on."""
        return tuple(f"--{f.name.replace('_', '-')}" for f in fields(self) if getattr(self, f.name) is not None)


@dataclass(frozen=True)
class Machine:
    """Where and how to compute: device and number format by name, threads or None for the usual number."""

    device: str | None
    dtype: str | None
    threads: int | None


@dataclass(frozen=True)
class Talk:
    """How the program speaks: JSON lines, nothing but errors, errors with their traceback."""

    json: bool
    quiet: bool
    verbose: bool


def add_song_options(parser: argparse.ArgumentParser) -> None:
    """--style, --lyrics and the other options that say what the song is."""
    song = parser.add_argument_group("the song")
    song.add_argument(
        "--style",
        type=recovered,
        metavar="TEXT",
        help="language, genre, instruments, voice, tempo, with commas between",
    )
    words = song.add_mutually_exclusive_group()
    words.add_argument(
        "--lyrics",
        type=recovered,
        metavar="TEXT",
        help="the words, with tags such as [Verse] and [Chorus] on lines of their own; '' for an instrumental",
    )
    words.add_argument("--lyrics-file", type=Path, metavar="FILE", help="read the words from a UTF-8 text file")
    song.add_argument(
        "--request",
        type=Path,
        metavar="FILE.json",
        help=(
            "read the song from a JSON file with style, lyrics, cot, seed, abc or abc_path, cfg_scale, id, "
            "abc_sampling, semantic_sampling; options on the command line win over the file"
        ),
    )
    song.add_argument(
        "--cot",
        choices=COTS,
        help="write a score with chords first (full, the default), only a melody (melody), or none (off)",
    )
    song.add_argument("--abc-file", type=Path, metavar="FILE.abc", help="sing this score instead of writing one")
    song.add_argument(
        "--seed",
        metavar="N",
        help="the number that the song grows from; the same seed gives the same song (default 831001)",
    )
    song.add_argument(
        "--cfg-scale",
        metavar="X",
        help="how strictly style and lyrics are followed, 0 to 20 (default 1, and 1.01 with --cot off); not 1 "
        "doubles the time of the singing",
    )


def add_sampling_options(parser: argparse.ArgumentParser, *, semantic: bool = True) -> None:
    """--abc-sampling and, with `semantic`, --semantic-sampling and --max-frames."""
    group = parser.add_argument_group("length and chance")
    if semantic:
        group.add_argument(
            "--max-frames",
            metavar="N",
            help="stop the song after N frames at the latest, 25 a second (default 9000, which is 6 minutes)",
        )
    names = "temperature, top_p, top_k, repetition_penalty, penalty_window, min_tokens, max_tokens"
    group.add_argument(
        "--abc-sampling",
        type=recovered,
        metavar="JSON",
        help=f"how the tokens of the score are sampled, for example '{{\"temperature\": 0.8}}'; also {names}",
    )
    if semantic:
        group.add_argument("--semantic-sampling", type=recovered, metavar="JSON", help="the same for the singing")


def add_model_options(parser: argparse.ArgumentParser, *, model: bool = True, vae: bool = True) -> None:
    """--model and --vae."""
    group = parser.add_argument_group("the model (by default in the models folder of the settings)")
    if model:
        group.add_argument(
            "--model", type=Path, metavar="DIR", help="folder with config.json, model.safetensors and qwen.tiktoken"
        )
    if vae:
        group.add_argument(
            "--vae", type=Path, metavar="DIR", help="folder of the audio decoder: config.json and model.safetensors"
        )


def add_machine_options(parser: argparse.ArgumentParser, *, dtype: bool = True) -> None:
    """--device, --dtype and --threads."""
    group = parser.add_argument_group("the machine")
    group.add_argument(
        "--device",
        metavar="NAME",
        help="cpu, cuda, cuda:N (the N-th graphics card, from 0) or auto: a graphics card where there is one "
        "(default auto)",
    )
    if dtype:
        group.add_argument(
            "--dtype",
            choices=_DTYPES,
            help="number format: auto (default) is bfloat16 where the machine is fast in it, else float32",
        )
    group.add_argument("--threads", metavar="N", help="CPU threads to use (default: the settings', else all cores)")


def add_talk_options(parser: argparse.ArgumentParser) -> None:
    """--json, --quiet and --verbose."""
    group = parser.add_argument_group("what is printed")
    group.add_argument("--json", action="store_true", help="events as JSON, one a line, on stdout; nothing else there")
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group.add_argument("--verbose", action="store_true", help="print the program's own traceback with an error")


def request_options(args: argparse.Namespace) -> RequestOptions:
    """The song's options; those that the command does not have are None."""
    return RequestOptions(**{field.name: getattr(args, field.name, None) for field in fields(RequestOptions)})


def machine(args: argparse.Namespace) -> Machine:
    """The machine's options; Problem(BAD_REQUEST) for a number of threads that is none."""
    threads = None if args.threads is None else whole_number("--threads", args.threads, least=1, most=512)
    return Machine(device=args.device, dtype=getattr(args, "dtype", None), threads=threads)


def talk(args: argparse.Namespace) -> Talk:
    """How to speak."""
    return Talk(json=args.json, quiet=args.quiet, verbose=args.verbose)


def whole_number(option: str, text: str, *, least: int, most: int = _LARGEST) -> int:
    """`text` as a whole number in [least, most]; else Problem(BAD_REQUEST) that names the option."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise Problem(ProblemKind.BAD_REQUEST, f"{option} must be a whole number, but is {shown(text)}.", option=option)
    # Longer than any limit, and Python refuses to read an int of some thousand digits.
    value = int(text) if len(digits) <= 30 else None
    if value is None or not least <= value <= most:
        too_small = text.startswith("-") or (value is not None and value < least)
        limit = f"{least} or more" if most == _LARGEST and too_small else f"between {least} and {most}"
        raise Problem(ProblemKind.BAD_REQUEST, f"{option} must be {limit}, but is {shown(text)}.", option=option)
    return value
