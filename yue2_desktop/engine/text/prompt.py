"""The token prefixes of each phase, byte for byte as the model was trained (spec yue2, section 7)."""

from __future__ import annotations

from collections.abc import Sequence

from yue2_desktop.engine.text.tokenizer import Tokenizer
from yue2_desktop.engine.tokens import ABC_END, ABC_START, EOD, MUSIC_START, TEXT_TOKENS
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest

_INSTRUCTIONS = {
    "off": "Generate music with codec tokens from the given conditions.",
    "melody": (
        "Generate a melody-only ABC transcription without chord symbols, "
        "then generate music with codec tokens from the given conditions."
    ),
    "full": (
        "Generate a chord-annotated ABC transcription, then generate music with codec tokens from the given conditions."
    ),
}


def prompt_text(request: SongRequest) -> str:
    """The whole prompt; style and lyrics go in raw, so lyrics that end in a newline yield two."""
    return f"{_INSTRUCTIONS[request.cot]}\n[Tags]\n{request.style}\n[Lyrics]\n{request.lyrics}\n"


def score_prefix(tokenizer: Tokenizer, request: SongRequest) -> tuple[int, ...]:
    """What the score phase continues (full and melody without a supplied score)."""
    return (EOD, *tokenizer.encode(prompt_text(request)), ABC_START)


def semantic_prefix(tokenizer: Tokenizer, request: SongRequest, abc_ids: Sequence[int]) -> tuple[int, ...]:
    """What the semantic phase continues; `abc_ids` are the sampled ids, or those of a supplied score.

    In `off` mode the score is empty and both markers stand. Raises Problem when an id is not a text token.
    """
    _check(request, abc_ids)
    return (EOD, *tokenizer.encode(prompt_text(request)), ABC_START, *abc_ids, ABC_END, MUSIC_START)


def negative_prefix(tokenizer: Tokenizer, request: SongRequest, abc_ids: Sequence[int]) -> tuple[int, ...]:
    """The unconditional branch of guidance: the instruction alone; the same score, or no markers in `off` mode."""
    _check(request, abc_ids)
    instruction = tokenizer.encode(_INSTRUCTIONS[request.cot])
    if request.cot == "off":
        return (EOD, *instruction, MUSIC_START)
    return (EOD, *instruction, ABC_START, *abc_ids, ABC_END, MUSIC_START)


def _check(request: SongRequest, abc_ids: Sequence[int]) -> None:
    if request.cot == "off" and abc_ids:
        raise Problem(ProblemKind.BAD_REQUEST, "cot 'off' takes no score; use 'full' or 'melody' to sing one.")
    for index, token in enumerate(abc_ids):
        if not 0 <= token < TEXT_TOKENS:
            raise Problem(
                ProblemKind.BAD_FILE,
                f"Score token {index} is {token}, which is no text token (0 to {TEXT_TOKENS - 1}).",
            )
