"""Everything that decides what a take becomes, and how that stands in its config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from yue2_desktop.library.names import TakeStage
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import Sampling

#: Steps of the released sampler (design: modes).
DEFAULT_ODE_STEPS: Final = 32
#: In which precision each half computes, and where the tokens are made; in this order in the file.
_WEIGHTS: Final = ("ar_weights", "ar_device", "nar_weights")


@dataclass(frozen=True)
class Recipe:
    """One render: song, sampling, solver steps, frames a tile (None is the decoder's own), where to stop."""

    request: SongRequest
    abc: Sampling
    semantic: Sampling
    ode_steps: int = DEFAULT_ODE_STEPS
    ode_method: str = "midpoint"
    vae_core: int | None = None
    last: TakeStage = TakeStage.AUDIO


def config_json(
    recipe: Recipe, *, device: str, dtype: str, context: int, weights: Mapping[str, str] | None = None
) -> dict[str, object]:
    """The effective configuration: what the take's identity is made from, with request and weights.

    The names of the first five are those of the reference (spec/yue2.md, sections 1 and 9). `weights` says in which
    precision and on which kind of device each half computes.
    """
    return {
        "abc": recipe.abc.to_json(),
        "semantic": recipe.semantic.to_json(),
        "ode_steps": recipe.ode_steps,
        "ode_method": recipe.ode_method,
        "context": context,
        "vae_core_frames": recipe.vae_core,
        "device": device,
        "dtype": dtype,
        "backend": "yue2-desktop",
        **{name: value for name in _WEIGHTS if (value := (weights or {}).get(name)) is not None},
    }
