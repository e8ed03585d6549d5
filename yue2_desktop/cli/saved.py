"""Stages that are on disk already: those of an earlier take to go on from, or of the interrupted take itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from yue2_desktop.cli.options import RequestOptions
from yue2_desktop.cli.song_request import Overrides, Song, cfg_scale, seed, with_sampling
from yue2_desktop.library.arrays import Latents
from yue2_desktop.library.describe import describe, is_take
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import CONFIG, LATENTS, TAKE, StageState, TakeStage
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.record import SEEDS, StageNote, TakeRecord, read_record
from yue2_desktop.library.saved_settings import SavedSettings, saved_settings
from yue2_desktop.library.stage_files import load_latents, load_semantic
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.stages import ScorePlan, SemanticTokens
from yue2_desktop.song.wording import path_text

#: Stages that can be reused, furthest first. The audio is what a new take is made for.
_REUSABLE: Final = (TakeStage.LATENTS, TakeStage.SEMANTIC, TakeStage.PLAN)
#: What may be changed when so much is kept, since nothing kept depends on it: the seed of a later stage's chance.
_CHANGEABLE: Final = {
    TakeStage.PLAN: {"--seed", "--cfg-scale", "--semantic-sampling", "--max-frames"},
    TakeStage.SEMANTIC: {"--seed"},
    TakeStage.LATENTS: set[str](),
}


@dataclass(frozen=True)
class SavedStages:
    """Results that need not be made. `notes` says how each was made; `origin` names the take they are from.

    `seeds` are what the chance of these stages started from there, by the names of take.json.
    """

    plan: ScorePlan | None = None
    tokens: SemanticTokens | None = None
    latents: Latents | None = None
    notes: Mapping[TakeStage, StageNote] = field(default_factory=dict)
    origin: str | None = None
    seeds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class EarlierTake:
    """What a new take goes on from: the song as it was asked for with what is changed, settings, results.

    `record` is the earlier take's own, None for one of the reference.
    """

    song: Song
    settings: SavedSettings
    stages: SavedStages
    last: TakeStage
    record: TakeRecord | None


def load_stages(folder: Path, last: TakeStage | None) -> SavedStages:
    """The results in `folder` up to `last` (None: none). Raises Problem(BAD_FILE) for what is not as it was written."""
    if last is None:
        return SavedStages()
    if last is TakeStage.PLAN:
        return SavedStages(plan=load_plan(folder))
    tokens = load_semantic(folder)
    latents = None if last is TakeStage.SEMANTIC else load_latents(folder)
    if latents is not None and len(latents) != len(tokens.codec):
        raise bad_file(
            folder / LATENTS,
            f"has {len(latents):,} frames, but the take has {len(tokens.codec):,} tokens; use another take",
        )
    return SavedStages(plan=tokens.plan, tokens=tokens, latents=latents)


def earlier_take(folder: Path, reuse: TakeStage | None, options: RequestOptions) -> EarlierTake:
    """The take in `folder`, of this program or the reference, to go on from after the stage `reuse`.

    None takes its furthest complete stage. Settings that the options do not give are those of the take. Raises
    Problem for a folder that is no take, a stage that is not there, and options that what is kept depends on.
    """
    if not is_take(folder):
        raise bad_file(folder, "is not the folder of a take; name one that 'render' or 'plan' has made")
    last = reuse or _furthest(folder)
    refused = [option for option in options.given if option not in _CHANGEABLE[last]]
    if refused:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"{', '.join(refused)} cannot be changed when the {last.value} of an earlier take is kept, which was made "
            f"with it; leave it out, reuse an earlier stage with --reuse, or make a new song.",
            options=refused,
        )
    stages = load_stages(folder, last)
    record = read_record(folder) if (folder / TAKE).exists() else None
    config = folder / CONFIG
    settings = saved_settings(read_members(config).values if config.exists() else {}, config)
    if stages.plan is None:
        raise bad_file(folder, "has no plan; name another take")
    request = _changed(stages.plan.request, options)
    plan = replace(stages.plan, request=request)
    stages = replace(
        stages,
        plan=plan,
        tokens=None if stages.tokens is None else replace(stages.tokens, plan=plan),
        notes=_notes(record),
        origin=path_text(Path(folder.resolve().name)),
        seeds=_seeds(last, record, stages.plan.request),
    )
    song = with_sampling(request, options, Overrides(settings.abc, settings.semantic))
    return EarlierTake(song, settings, stages, last, record)


def _furthest(folder: Path) -> TakeStage:
    states = describe(folder).stages
    for stage in _REUSABLE:
        if states[stage] is StageState.COMPLETE:
            return stage
    raise bad_file(folder, "has no finished stage to go on from; make a new song, or go on with --resume")


def _changed(request: SongRequest, options: RequestOptions) -> SongRequest:
    values = request.to_json()
    if options.seed is not None:
        values["seed"] = seed(options.seed)
    if options.cfg_scale is not None:
        values["cfg_scale"] = cfg_scale(options.cfg_scale)
    return SongRequest.validated(**values)


def _seeds(last: TakeStage, record: TakeRecord | None, request: SongRequest) -> dict[str, int]:
    """The seeds of the stages up to `last`: those on record, else (a take of the reference) the request's."""
    known = record.seeds if record is not None else dict.fromkeys(SEEDS, request.seed)
    return {name: known[name] for name in SEEDS[: tuple(TakeStage).index(last) + 1]}


def _notes(record: TakeRecord | None) -> dict[TakeStage, StageNote]:
    if record is None:
        return {}
    return {stage: found.note for stage, found in record.stages.items() if found.note is not None}
