"""The settings in a take's config.json: what it was rendered with, as values that were checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged


@dataclass(frozen=True)
class SavedSettings:
    """What the config.json of a take says; None or empty where it says nothing (another program's take)."""

    abc: Mapping[str, object]
    semantic: Mapping[str, object]
    ode_steps: int | None
    vae_core: int | None
    device: str | None
    dtype: str | None
    ode_method: str | None = None
    ar_weights: str | None = None
    nar_weights: str | None = None
    ar_device: str | None = None


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
        ode_method=_one_of(config, "ode_method", ("midpoint", "ab2"), path),
        ar_weights=_text(config, "ar_weights"),
        nar_weights=_text(config, "nar_weights"),
        ar_device=_text(config, "ar_device"),
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


def _one_of(config: Mapping[str, object], name: str, allowed: tuple[str, ...], path: Path) -> str | None:
    value = config.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or value not in allowed:
        raise _damaged(path, f"{name} is not {' or '.join(allowed)}")
    return value


def _damaged(path: Path, why: str) -> Problem:
    return bad_file(path, f"is damaged: {why}; use another take")
