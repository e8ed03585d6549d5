"""From the options of the command line, and a request file, to a validated song with its sampling settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from yue2_desktop.cli.options import RequestOptions, whole_number
from yue2_desktop.score.scorefile import read_score
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.request import SEED_LIMIT, SongRequest, request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.textfile import parse_json, read_json, read_utf8
from yue2_desktop.song.wording import shown


@dataclass(frozen=True)
class Song:
    """What is to be made, and one sentence for whatever was decided on the user's behalf."""

    request: SongRequest
    abc: Sampling
    semantic: Sampling
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Overrides:
    """Sampling settings that lie under those of the command line: a request file's, or an earlier take's."""

    abc: Mapping[str, object] = field(default_factory=dict)
    semantic: Mapping[str, object] = field(default_factory=dict)


def new_song(options: RequestOptions) -> Song:
    """The song that the options ask for. What they give wins over the request file.

    Raises Problem(BAD_REQUEST) or (BAD_FILE) that names the option, the field or the file, with the cure.
    """
    members: dict[str, object] = {}
    base_dir: Path | None = None
    if options.request is not None:
        members, base_dir = _request_file(options.request), options.request.parent
    elif options.style is None:
        raise _bad("There is no style; describe the music with --style, or give a request file with --request.")
    elif options.lyrics is None and options.lyrics_file is None:
        raise _bad("There are no lyrics; give them with --lyrics or --lyrics-file (--lyrics '' for an instrumental).")
    if options.style is not None:
        members.pop("tags", None)
        members["style"] = options.style
    if options.lyrics_file is not None:
        members["lyrics"] = read_utf8(options.lyrics_file, "lyrics file")
    elif options.lyrics is not None:
        members["lyrics"] = options.lyrics
    if options.cot is not None:
        members["cot"] = options.cot
    if options.abc_file is not None:
        members.pop("abc_path", None)
        members["abc"] = read_score(options.abc_file)
    if options.seed is not None:
        members["seed"] = seed(options.seed)
    if options.cfg_scale is not None:
        members["cfg_scale"] = cfg_scale(options.cfg_scale)
    found = request_from_json(members, base_dir=base_dir)
    return with_sampling(found.request, options, Overrides(found.abc_overrides, found.semantic_overrides))


def with_sampling(request: SongRequest, options: RequestOptions, under: Overrides) -> Song:
    """`request` with its sampling settings: the defaults, `under`, then the command line, last --max-frames."""
    abc = merged(ABC_SAMPLING, {**under.abc, **_json_option("--abc-sampling", options.abc_sampling)},
                 where="abc_sampling")  # fmt: skip
    given = _json_option("--semantic-sampling", options.semantic_sampling)
    overrides = {**under.semantic, **given}
    notes: list[str] = []
    if options.max_frames is not None:
        frames = whole_number("--max-frames", options.max_frames, least=1)
        if given.get("max_tokens", frames) != frames:
            raise _bad("--max-frames and max_tokens in --semantic-sampling say different lengths; keep one of them.")
        overrides["max_tokens"] = frames
        least = overrides.get("min_tokens", SEMANTIC_SAMPLING.min_tokens)
        if "min_tokens" not in given and type(least) is int and least > frames:
            overrides["min_tokens"] = frames
            notes.append(
                f"A song has at least {least} frames ({least / FRAMES_PER_SECOND:g} s) by default; "
                f"for --max-frames {frames} that is lowered to {frames}."
            )
    semantic = merged(SEMANTIC_SAMPLING, overrides, where="semantic_sampling")
    return Song(request, abc, semantic, tuple(notes))


def seed(text: str) -> int:
    """The seed of --seed; Problem(BAD_REQUEST) unless it is a whole number from 0 to 2^63 - 1."""
    return whole_number("--seed", text, least=0, most=SEED_LIMIT - 1)


def cfg_scale(text: str) -> float:
    """The number of --cfg-scale; its range is the request's to check."""
    try:
        return float(text)
    except ValueError as error:
        raise _bad(f"--cfg-scale must be a number such as 1.5, but is {shown(text)}.") from error


def _request_file(path: Path) -> dict[str, object]:
    value = read_json(path, "request file")
    if not isinstance(value, dict):
        raise _bad(f"The request must be a JSON object in braces, but is {shown(value)}.")
    return value


def _json_option(option: str, text: str | None) -> Mapping[str, object]:
    if text is None:
        return {}
    value = parse_json(text, Path(option), "option")
    if not isinstance(value, dict):
        raise _bad(f"{option} must be an object such as '{{\"temperature\": 0.8}}', but is {shown(value)}.")
    return value


def _bad(sentence: str) -> Problem:
    return Problem(ProblemKind.BAD_REQUEST, sentence)
