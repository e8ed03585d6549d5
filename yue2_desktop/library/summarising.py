"""From a take's folder to its summary: small files only, so that hundreds are read in a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from yue2_desktop.library.audio_file import audio_length
from yue2_desktop.library.marks import UserMarks, read_marks
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import (
    AUDIO_NAMES,
    CONFIG,
    JOURNAL,
    LATENTS,
    MARKS,
    PLAN,
    REQUEST,
    RESULT,
    SCORE,
    SEMANTIC,
    TAKE,
    StageState,
    TakeStage,
)
from yue2_desktop.library.reading import bad_file
from yue2_desktop.library.record import TakeRecord, read_record
from yue2_desktop.library.result_file import read_result
from yue2_desktop.library.take_summary import TakeState, TakeSummary
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.lyrics.hearing import cut_after, words_notice
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.stages import SAMPLE_RATE
from yue2_desktop.song.wording import path_text

_T = TypeVar("_T")
#: What a summary is made from; when size and time of these are as before, so is the summary.
SUMMARISED: Final = (TAKE, RESULT, REQUEST, CONFIG, MARKS, SCORE, PLAN, SEMANTIC, LATENTS, *AUDIO_NAMES)


@dataclass(frozen=True)
class Summarised:
    """A take's summary and the words by which it can be found: title, style, lyrics, note, seed."""

    summary: TakeSummary
    words: str


def summarise(folder: Path) -> Summarised:
    """The summary of the take in `folder`, of this program or the reference, without what has to be measured.

    A damaged file becomes a sentence in `damage`. Raises Problem(BAD_FILE) where the folder itself is gone.
    """
    reading = _Reading(folder, [])
    try:
        files = {entry.name for entry in folder.iterdir()}
        # The note changes the time of the folder, but not that of what the take was made from.
        dated = next((folder / name for name in (RESULT, REQUEST) if name in files), folder).stat().st_mtime
    except OSError as error:
        raise bad_file(folder, f"is not a readable folder ({error.strerror}); name the folder of a take") from error
    record = reading.tried(read_record) if TAKE in files else None
    result = reading.tried(read_result) if RESULT in files else None
    request = reading.tried(_request) if REQUEST in files else None
    config = (reading.tried(_config) if CONFIG in files else None) or {}
    marks = (reading.tried(read_marks) if MARKS in files else None) or UserMarks()
    audio = next((name for name in AUDIO_NAMES if name in files), None)
    song = record.song if record is not None else None
    mode = _mode(record)
    seconds = _seconds(reading, record, audio)
    truncated = (
        bool(record.stages[TakeStage.SEMANTIC].truncated)
        if record is not None
        else result is not None and result.semantic_truncated
    )
    summary = TakeSummary(
        folder=folder,
        title=song.title if song is not None else path_text(Path(folder.name)),
        created=_created(record) or datetime.fromtimestamp(dated, UTC),
        state=_state(record, files, damaged=bool(reading.damage)),
        song=song,
        style=request.style if request is not None else "",
        seed=request.seed if request is not None else record.seeds["noise"] if record is not None else None,
        cot=request.cot if request is not None else "",
        mode=mode,
        ode_steps=_whole(config.get("ode_steps")),
        last=_last(record, files),
        seconds=seconds,
        score_truncated=record is not None and bool(record.stages[TakeStage.PLAN].truncated),
        song_truncated=truncated,
        has_score=SCORE in files,
        edited_score=request is not None and request.abc is not None,
        resumed=record is not None and any(stage.note and stage.note.resumed for stage in record.stages.values()),
        problem=_problem(record),
        audio=audio,
        unsung=_unsung(request, seconds) if truncated and SCORE not in files else None,
        words_doubt=_doubt(request, seconds) if audio is not None and not truncated else "",
        star=marks.star,
        note=marks.note,
        damage=tuple(reading.damage),
    )
    lyrics = request.lyrics if request is not None else ""
    return Summarised(summary, "\n".join([summary.title, summary.style, lyrics, marks.note, str(summary.seed)]))


def _unsung(request: SongRequest | None, seconds: float | None) -> str:
    """What a song without a score leaves out, by the estimate from its words (user-reports.md, row 75)."""
    if request is None or seconds is None:
        return ""
    return cut_after(request.lyrics, seconds, request.style).sentence


def _doubt(request: SongRequest | None, seconds: float | None) -> str:
    """Whether a length suits the words (user-reports.md, row 86)."""
    if request is None or seconds is None:
        return ""
    return words_notice(request.lyrics, seconds, request.style) or ""


@dataclass(frozen=True)
class _Reading:
    """A folder, and where to put the sentences about what cannot be read in it."""

    folder: Path
    damage: list[str]

    def tried(self, read: Callable[[Path], _T]) -> _T | None:
        try:
            return read(self.folder)
        except Problem as problem:
            self.damage.append(problem.sentence)
            return None


def _request(folder: Path) -> SongRequest:
    return request_from_json(read_members(folder / REQUEST).values).request


def _config(folder: Path) -> Mapping[str, object]:
    return read_members(folder / CONFIG).values


def _created(record: TakeRecord | None) -> datetime | None:
    if record is None:
        return None
    try:
        found = datetime.fromisoformat(record.created)
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _state(record: TakeRecord | None, files: set[str], *, damaged: bool) -> TakeState:
    if record is None:
        if damaged and TAKE in files:
            return TakeState.DAMAGED
        return TakeState.FINISHED if RESULT in files else TakeState.PARTIAL
    states = {stage.state for stage in record.stages.values()}
    if StageState.FAILED in states:
        return TakeState.FAILED
    if StageState.CANCELLED in states:
        return TakeState.CANCELLED
    if record.stages[TakeStage.AUDIO].state is StageState.COMPLETE:
        return TakeState.FINISHED
    if StageState.RUNNING in states or StageState.COMPLETE not in states or JOURNAL in files:
        return TakeState.BEGUN
    return TakeState.PARTIAL


def _last(record: TakeRecord | None, files: set[str]) -> TakeStage | None:
    if record is not None:
        done = [stage for stage in TakeStage if record.stages[stage].state is StageState.COMPLETE]
    else:
        made_by = {TakeStage.PLAN: {PLAN}, TakeStage.SEMANTIC: {SEMANTIC}, TakeStage.LATENTS: {LATENTS}}
        done = [stage for stage in TakeStage if files & made_by.get(stage, set(AUDIO_NAMES))]
    return done[-1] if done else None


def _seconds(reading: _Reading, record: TakeRecord | None, audio: str | None) -> float | None:
    if record is not None:
        samples, frames = record.stages[TakeStage.AUDIO].size, record.stages[TakeStage.SEMANTIC].size
        return samples / SAMPLE_RATE if samples else frames / FRAMES_PER_SECOND if frames else None
    length = reading.tried(lambda folder: audio_length(folder / audio)) if audio is not None else None
    return None if length is None else length[0] / length[1]


def _problem(record: TakeRecord | None) -> str | None:
    stages = record.stages.values() if record is not None else ()
    return next((stage.problem for stage in stages if stage.problem is not None), None)


def _mode(record: TakeRecord | None) -> str:
    plan = record.made_with.get("plan") if record is not None else None
    mode = plan.get("mode") if isinstance(plan, dict) else None
    return mode if isinstance(mode, str) else ""


def _whole(value: object) -> int | None:
    return value if type(value) is int else None
