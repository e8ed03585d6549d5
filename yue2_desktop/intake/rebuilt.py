"""A song document from a request and settings that a take, a sound or a request file carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument, new_id
from yue2_desktop.song.document_score import DocumentScore
from yue2_desktop.song.lyrics.sung import sung_style, sung_text
from yue2_desktop.song.render_settings import FINAL_STEPS, MAX_STEPS, ODE_METHODS, RenderSettings
from yue2_desktop.song.request import DEFAULT_ID, SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling
from yue2_desktop.song.seeds import SeedKind, SeedPolicy

#: The form of the ids of our documents; other ids are names that people gave.
_OUR_ID: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Made:
    """What a song was made from. Sampling settings may be complete or only those that differ."""

    request: SongRequest
    abc: Mapping[str, object] = field(default_factory=dict)
    semantic: Mapping[str, object] = field(default_factory=dict)
    ode_steps: int | None = None
    ode_method: str | None = None
    vae_core: int | None = None
    song: SongOfTake | None = None
    fallback_title: str = ""


def document_of(made: Made, score: DocumentScore | None = None) -> SongDocument:
    """The document that asks for the same song again: same words, settings and ceiling, and the seed fixed.

    Machine choices (mode, precision) stay automatic. The id is the song's own where it is one of ours, so that takes
    stay together.
    """
    request = made.request
    semantic = _differing(SEMANTIC_SAMPLING, made.semantic)
    ceiling = semantic.pop("max_tokens", None)
    if ceiling is None and "max_tokens" in made.semantic:
        ceiling = SEMANTIC_SAMPLING.max_tokens
    method = next((one for one in ODE_METHODS if one == made.ode_method), ODE_METHODS[0])
    steps = made.ode_steps if made.ode_steps is not None and made.ode_steps <= MAX_STEPS else FINAL_STEPS
    return SongDocument(
        id=_id(made),
        title=_title(made),
        style=request.style,
        lyrics=request.lyrics,
        cot=request.cot,
        seed=SeedPolicy(SeedKind.FIXED, request.seed),
        score=score,
        abc_sampling=_differing(ABC_SAMPLING, made.abc),
        semantic_sampling=semantic,
        cfg_scale=request.cfg_scale,
        render=RenderSettings(
            ode_steps=steps,
            ode_method=method,
            vae_core=made.vae_core,
            max_frames=ceiling if type(ceiling) is int else None,
        ),
    )


def differences(request: SongRequest) -> tuple[str, ...]:
    """What a document of it would ask for otherwise than `request` did, a sentence each; usually nothing."""
    notes = []
    if sung_text(request.lyrics) != request.lyrics:
        notes.append(
            "These lyrics were sung with lines that begin with #, or with hidden characters; here such lines are "
            "remarks, so that the song will differ."
        )
    if sung_style(request.style) != request.style:
        notes.append("The style had line breaks or hidden characters, which are not sent again: the song will differ.")
    return tuple(notes)


def _differing(base: Sampling, given: Mapping[str, object]) -> dict[str, object]:
    usual = base.to_json()
    return {name: value for name, value in given.items() if usual.get(name) != value}


def _id(made: Made) -> str:
    for candidate in (made.song.id if made.song is not None else "", made.request.id):
        if _OUR_ID.fullmatch(candidate):
            return candidate
    return new_id()


def _title(made: Made) -> str:
    if made.song is not None and made.song.title.strip():
        return made.song.title
    if made.request.id != DEFAULT_ID and not _OUR_ID.fullmatch(made.request.id):
        words = re.sub(r"[-_.]+", " ", made.request.id).strip()
        return words[:1].upper() + words[1:]
    return made.fallback_title
