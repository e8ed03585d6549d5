"""The song that a take was made from, rebuilt from the take's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from yue2_desktop.intake.dropped import DroppedSong
from yue2_desktop.intake.rebuilt import Made, differences, document_of
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import CONFIG, PLAN, REQUEST, SCORE, TAKE
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.record import TakeRecord, read_record
from yue2_desktop.library.saved_settings import saved_settings
from yue2_desktop.score.scorefile import read_score
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import DocumentScore, PlannedScore, ScoreOrigin
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.stages import ScorePlan
from yue2_desktop.song.wording import path_text


def song_of_take(folder: Path) -> DroppedSong:
    """The song of the take in `folder`, of this program or the reference.

    What is damaged is left out and told; Problem(BAD_FILE) where not even the request can be read.
    """
    notes: list[str] = []
    plan = _plan(folder, notes)
    record = _record(folder, notes)
    request = plan.request if plan is not None else _request(folder, notes)
    config = _config(folder, notes)
    settings = _settings(folder, config, notes)
    document = document_of(
        replace(
            settings,
            request=request,
            ode_method=_text(config, "ode_method"),
            song=None if record is None else record.song,
            fallback_title=folder.resolve().name,
        )
    )
    document = replace(document, score=_score(folder, plan, request, document))
    notes.extend(differences(request))
    if record is not None and len(set(record.seeds.values())) > 1:
        notes.append(
            "Stages of this take were kept from takes with other seeds, so that one seed does not make it again."
        )
    return DroppedSong(folder, document, None, tuple(notes), is_take=True)


def _score(folder: Path, plan: ScorePlan | None, request: SongRequest, document: SongDocument) -> DocumentScore | None:
    if plan is None:
        text = _edited_score(folder) or request.abc
        return None if text is None else DocumentScore(text, ScoreOrigin.EDITED, source=folder.name)
    if plan.abc is None:
        return None
    if plan.supplied:
        return DocumentScore.imported(plan.abc, folder.name)
    planned = PlannedScore(path_text(folder.resolve()), plan.abc, document.asked, request.seed, plan.truncated)
    return DocumentScore.planned(planned)


def _plan(folder: Path, notes: list[str]) -> ScorePlan | None:
    if not (folder / PLAN).exists():
        return None
    try:
        return load_plan(folder)
    except Problem as problem:
        notes.append(problem.sentence)
        return None


def _request(folder: Path, notes: Sequence[str]) -> SongRequest:
    path = folder / REQUEST
    place = path_text(path)
    if notes and not path.exists():  # what is damaged is the reason, and not what is missing beside it
        sentence = f"{notes[0]} {REQUEST} is missing beside it, so its song cannot be made again; choose another take."
        raise Problem(ProblemKind.BAD_FILE, sentence, path=place)
    try:
        return request_from_json(read_members(path).values).request
    except Problem as problem:
        if problem.kind is not ProblemKind.BAD_REQUEST:
            raise
        sentence = f"Request file {place}: {problem.sentence.rstrip('.')}; mend it, or choose another take."
        raise Problem(ProblemKind.BAD_FILE, sentence, path=place) from problem


def _edited_score(folder: Path) -> str | None:
    """The text of a score that is not the plan's any more: somebody edited it, and means it."""
    path = folder / SCORE
    return read_score(path) if path.is_file() and not path.is_symlink() else None


def _record(folder: Path, notes: list[str]) -> TakeRecord | None:
    if not (folder / TAKE).exists():
        return None
    try:
        return read_record(folder)
    except Problem as problem:
        notes.append(problem.sentence)
        return None


def _config(folder: Path, notes: list[str]) -> Mapping[str, object]:
    if not (folder / CONFIG).exists():
        return {}
    try:
        return read_members(folder / CONFIG).values
    except Problem as problem:
        notes.append(problem.sentence)
        return {}


def _settings(folder: Path, config: Mapping[str, object], notes: list[str]) -> Made:
    nothing = SongRequest("", "")
    try:
        settings = saved_settings(config, folder / CONFIG)
    except Problem as problem:
        notes.append(problem.sentence)
        return Made(nothing)
    return Made(nothing, settings.abc, settings.semantic, settings.ode_steps, vae_core=settings.vae_core)


def _text(config: Mapping[str, object], name: str) -> str | None:
    value = config.get(name)
    return value if isinstance(value, str) else None
