"""What a take-making command is asked for, with all that could be checked without opening a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from yue2_desktop.cli.recipe import Recipe
from yue2_desktop.cli.resume import Invocation
from yue2_desktop.cli.saved import SavedStages


@dataclass(frozen=True)
class Order:
    """One take to be made in `folder`.

    `resumes` says that `folder` holds the interrupted take itself. `weights` and `made_with` are what the record of
    the take says that `saved` is from, for weights that are not opened again.
    """

    recipe: Recipe
    folder: Path
    saved: SavedStages
    invocation: Invocation
    dtype: str
    resumes: bool = False
    weights: Mapping[str, object] = field(default_factory=dict)
    made_with: Mapping[str, object] = field(default_factory=dict)
