"""What a take-making command is asked for, with all that could be checked without opening a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from yue2_desktop.cli.recipe import Recipe
from yue2_desktop.cli.resume import Invocation
from yue2_desktop.cli.saved import SavedStages
from yue2_desktop.plan.options import Options
from yue2_desktop.song.belonging import SongOfTake


@dataclass(frozen=True)
class Order:
    """One take to be made in `folder`.

    `resumes` says that `folder` holds the interrupted take itself. `options` are what is forced of the plan; with
    `run_anyway` a plan that does not fit is tried all the same, with `allow_bad_score` a faulty score is sung.
    `weights` and `made_with` are what the record of the take says that `saved` is from, for weights that are not
    opened again; `kept_weights` says in which precision the stages were computed that are kept. `song` is the song
    of the window that the take is one of.
    """

    recipe: Recipe
    folder: Path
    saved: SavedStages
    invocation: Invocation
    dtype: str
    resumes: bool = False
    options: Options = field(default_factory=Options)
    run_anyway: bool = False
    allow_bad_score: bool = False
    weights: Mapping[str, object] = field(default_factory=dict)
    made_with: Mapping[str, object] = field(default_factory=dict)
    kept_weights: Mapping[str, str] = field(default_factory=dict)
    song: SongOfTake | None = None
