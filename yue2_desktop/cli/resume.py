"""An interrupted take, to go on with in its own folder: what it is, how it was started, how far it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from yue2_desktop.cli.recipe import DEFAULT_ODE_STEPS, Recipe
from yue2_desktop.cli.saved import SavedStages, load_stages
from yue2_desktop.library.journal_folder import make_journal_folder
from yue2_desktop.library.json_style import json_bytes
from yue2_desktop.library.members import Members, read_members
from yue2_desktop.library.names import CONFIG, INVOCATION, JOURNAL, REQUEST, RESULT, TAKE, StageState, TakeStage
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.record import TakeRecord, read_record
from yue2_desktop.library.saved_settings import SavedSettings, saved_settings
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.sampling import ABC_SAMPLING, SEMANTIC_SAMPLING, merged
from yue2_desktop.song.wording import path_text


@dataclass(frozen=True)
class Invocation:
    """How a render was started on this machine; kept in the journal, so that it is gone when the take is done."""

    model: Path | None
    vae: Path | None
    device: str
    threads: int | None
    last: TakeStage
    allow_bad_score: bool = False
    run_anyway: bool = False


@dataclass(frozen=True)
class Interrupted:
    """A take that is not finished. `invocation` is None where its journal is gone (it was stopped as asked)."""

    recipe: Recipe
    settings: SavedSettings
    stages: SavedStages
    record: TakeRecord
    invocation: Invocation | None


def interrupted_take(folder: Path) -> Interrupted:
    """The unfinished take in `folder`.

    Raises Problem(BAD_FILE) when it is none, finished, or damaged, and Problem(OUTPUT_EXISTS) while the process
    that makes it is still at work.
    """
    if not (folder / TAKE).is_file():
        raise bad_file(folder, "holds no take of this program; name the folder of an interrupted render")
    if (folder / RESULT).exists():
        raise bad_file(folder, "is finished already; to make another from it use --from-take and --output")
    record = read_record(folder)
    invocation = _read_invocation(folder)
    settings = saved_settings(read_members(folder / CONFIG).values, folder / CONFIG)
    request = request_from_json(read_members(folder / REQUEST).values).request
    done = [stage for stage in TakeStage if record.stages[stage].state is StageState.COMPLETE]
    reusable = [stage for stage in done if stage is not TakeStage.AUDIO]
    recipe = Recipe(
        request,
        merged(ABC_SAMPLING, settings.abc, where="abc"),
        merged(SEMANTIC_SAMPLING, settings.semantic, where="semantic"),
        settings.ode_steps or DEFAULT_ODE_STEPS,
        settings.ode_method or "midpoint",
        settings.vae_core,
        invocation.last if invocation else TakeStage.AUDIO,
    )
    return Interrupted(recipe, settings, load_stages(folder, reusable[-1] if reusable else None), record, invocation)


def write_invocation(folder: Path, invocation: Invocation) -> None:
    """Notes in the journal of the take how it is being made, and by which process."""
    make_journal_folder(folder / JOURNAL)
    process = psutil.Process()
    write_bytes(
        folder / JOURNAL / INVOCATION,
        json_bytes({
            "model": _stored(invocation.model),
            "vae": _stored(invocation.vae),
            "device": invocation.device,
            "threads": invocation.threads,
            "last": invocation.last.value,
            "allow_bad_score": invocation.allow_bad_score,
            "run_anyway": invocation.run_anyway,
            "process": process.pid,
            "process_started": process.create_time(),
        }),
    )


def _read_invocation(folder: Path) -> Invocation | None:
    path = folder / JOURNAL / INVOCATION
    if not path.exists():
        return None
    members = read_members(path)
    _require_ended(folder, members)
    last = members.text("last")
    if last not in set(TakeStage):
        raise members.problem("last", f"one of {', '.join(TakeStage)}", last)
    return Invocation(
        model=_restored(members.optional_text("model")),
        vae=_restored(members.optional_text("vae")),
        device=members.text("device"),
        threads=members.optional_whole("threads"),
        last=TakeStage(last),
        allow_bad_score=members.optional_flag("allow_bad_score") or False,
        run_anyway=members.optional_flag("run_anyway") or False,
    )


def _require_ended(folder: Path, members: Members) -> None:
    number = members.whole("process")
    if number == os.getpid():
        return
    try:
        started = psutil.Process(number).create_time()
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied:
        return  # another user's process has taken the number
    # Numbers are given again; the time of the start tells the processes apart, to what the system's clock counts.
    recorded = members.optional_number("process_started")
    if recorded is not None and abs(started - recorded) < 1.0:
        raise Problem(
            ProblemKind.OUTPUT_EXISTS,
            f"{path_text(folder)} is being rendered right now by process {number}; wait for it or stop it first.",
            process=number,
        )


def require_same_weights(folder: Path, recorded: Mapping[str, object], present: Mapping[str, object]) -> None:
    """Raises Problem(BAD_FILE) when the opened weights are others than those that the take was begun with."""
    for part, found in present.items():
        if part in recorded and recorded[part] != found:
            raise bad_file(
                folder,
                f"was begun with another {'model' if part == 'mot' else 'audio decoder'} than the one given now; "
                "name the folder that it was begun with, or make a new take with --from-take",
            )


def _stored(path: Path | None) -> str | None:
    return None if path is None else path_text(path.resolve())


def _restored(text: str | None) -> Path | None:
    # Under LANG=C the letters of a path are carried as bytes, see `path_text`.
    return None if text is None else Path(os.fsdecode(text.encode("utf-8")))
