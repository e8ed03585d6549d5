"""Everything that decides what a take becomes, and how that stands in its config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, Sampling, merged
from yue2_desktop.song.wording import path_text

#: Steps of the released sampler (design: modes).
DEFAULT_ODE_STEPS: Final = 32


@dataclass(frozen=True)
class Recipe:
    """One render: song, sampling, solver steps, frames a tile (None is the decoder's own), where to stop."""

    request: SongRequest
    abc: Sampling
    semantic: Sampling
    ode_steps: int = DEFAULT_ODE_STEPS
    vae_core: int | None = None
    last: TakeStage = TakeStage.AUDIO


@dataclass(frozen=True)
class SavedSettings:
    """What the config.json of a take says; None or empty where it says nothing (another program's take)."""

    abc: Mapping[str, object]
    semantic: Mapping[str, object]
    ode_steps: int | None
    vae_core: int | None
    device: str | None
    dtype: str | None


def config_json(recipe: Recipe, *, device: str, dtype: str, context: int) -> dict[str, object]:
    """The effective configuration: what the take's identity is made from, with request and weights.

    The names of the first five are those of the reference (spec/yue2.md, sections 1 and 9).
    """
    return {
        "abc": recipe.abc.to_json(),
        "semantic": recipe.semantic.to_json(),
        "ode_steps": recipe.ode_steps,
        "ode_method": "midpoint",
        "context": context,
        "vae_core_frames": recipe.vae_core,
        "device": device,
        "dtype": dtype,
        "backend": "yue2-desktop",
    }


def saved_settings(config: Mapping[str, object], path: Path) -> SavedSettings:
    """The settings in a take's config.json (at `path`); Problem(BAD_FILE) when one of them cannot be."""
    abc, semantic = _object(config, "abc", path), _object(config, "semantic", path)
    try:
        merged(ABC_SAMPLING, abc, where="abc")
        merged(SEMANTIC_SAMPLING, semantic, where="semantic")
    except Problem as problem:
        raise _damaged(path, problem.sentence.rstrip(".")) from problem
    return SavedSettings(
        abc=abc,
        semantic=semantic,
        ode_steps=_count(config, "ode_steps", path),
        vae_core=_count(config, "vae_core_frames", path),
        device=_text(config, "device"),
        dtype=_text(config, "dtype"),
    )


def _object(config: Mapping[str, object], name: str, path: Path) -> Mapping[str, object]:
    value = config.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _damaged(path, f"{name} is not an object")
    return value


def _count(config: Mapping[str, object], name: str, path: Path) -> int | None:
    value = config.get(name)
    if value is None:
        return None
    if type(value) is not int or value < 1:
        raise _damaged(path, f"{name} is not a whole number above 0")
    return value


def _text(config: Mapping[str, object], name: str) -> str | None:
    value = config.get(name)
    return value if isinstance(value, str) else None


def _damaged(path: Path, why: str) -> Problem:
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"{place} is damaged: {why}; use another take.", path=place)
