"""A take while it is being made: every stage is on the disk as soon as it is done."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from yue2_desktop.library.arrays import Latents, ids_bytes, latents_bytes
from yue2_desktop.library.audio_file import Audio, write_audio
from yue2_desktop.library.journal_folder import remove_journal
from yue2_desktop.library.json_style import identity_of, json_bytes, sha256_of
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import (
    AUDIO_FLAC,
    AUDIO_NAMES,
    CONFIG,
    JOURNAL,
    LATENTS,
    REQUEST,
    RESULT,
    SEMANTIC,
    TAKE,
    StageState,
    TakeStage,
)
from yue2_desktop.library.output_folder import claim
from yue2_desktop.library.plan_files import plan_files
from yue2_desktop.library.reading import bad_file, hash_file
from yue2_desktop.library.record import (
    SEEDS,
    FileMark,
    MadeWith,
    ModelFile,
    StageNote,
    StageRecord,
    TakeRecord,
    made_with_json,
    read_record,
    with_model_files,
)
from yue2_desktop.library.result_file import TakeResult
from yue2_desktop.song.atomic import remove_leftovers, write_bytes
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.stages import CODEC_SIZE, ScorePlan, SemanticTokens

_ORDER: Final = tuple(TakeStage)

_log = logging.getLogger(__name__)


class TakeWriter:
    """Writes one take into its folder, stage by stage in order; made by `create` or, to go on, `reopen`.

    Each of `plan`, `semantic`, `latents` and `audio` writes its files in one step each and then take.json, so
    that a crash keeps every stage before it. All writing raises Problem(DISK_FULL) or (BAD_FILE), which name
    what was kept. A stage out of order, or twice, is a RuntimeError.
    """

    def __init__(self, folder: Path, record: TakeRecord) -> None:
        self.folder = folder
        self._record = record

    @classmethod
    def create(
        cls,
        folder: Path,
        *,
        request: SongRequest,
        config: Mapping[str, object],
        weights: Mapping[str, object],
        made_with: MadeWith,
        audio_name: str = AUDIO_FLAC,
        song: SongOfTake | None = None,
        seeds: Mapping[str, int] | None = None,
    ) -> TakeWriter:
        """A new take in `folder`, which is made with its parents and must be empty (else OUTPUT_EXISTS).

        `config` is the effective configuration (device, sampling, overrides), `weights` names the weights with
        their hashes; both are plain JSON values and, with the request, give the take its identity. Writes
        request.json, config.json and take.json. `audio_name` is audio.flac or audio.wav; `song` says whose take it is,
        which does not change its identity; `seeds` are those of stages that are kept of a take with another seed
        (see `TakeRecord`).
        """
        _require_audio_name(audio_name)
        identity = identity_of(request.to_json(), config, weights)
        request_json, config_json = json_bytes(request.to_json()), json_bytes(dict(config))
        now = _now()
        record = TakeRecord(
            identity=identity,
            seeds={**dict.fromkeys(SEEDS, request.seed), **(seeds or {})},
            created=now,
            updated=now,
            audio_file=audio_name,
            weights=weights,
            made_with=made_with_json(made_with),
            stages={stage: StageRecord() for stage in TakeStage},
            song=song,
        )
        take_json = json_bytes(record.to_json())
        claim(folder)
        write_bytes(folder / REQUEST, request_json)
        write_bytes(folder / CONFIG, config_json)
        write_bytes(folder / TAKE, take_json)
        return cls(folder, record)

    @classmethod
    def reopen(cls, folder: Path) -> TakeWriter:
        """The unfinished take in `folder`, to go on after its last complete stage.

        Raises Problem(BAD_FILE) when its records are missing, damaged or edited, or the take is finished.
        """
        record = read_record(folder)
        request = read_members(folder / REQUEST).values
        config = read_members(folder / CONFIG).values
        if identity_of(request, config, record.weights) != record.identity:
            raise bad_file(folder, "cannot go on: its request or configuration was edited; start a new render")
        if (folder / RESULT).exists():
            raise bad_file(folder, "is finished already; start a new render in another folder")
        remove_leftovers(folder)
        return cls(folder, record)

    @property
    def record(self) -> TakeRecord:
        """What take.json says now."""
        return self._record

    @property
    def journal(self) -> Path:
        """The folder for the journals of the running stage; made by whoever writes the first one."""
        return self.folder / JOURNAL

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the finished stages' files."""
        return tuple(self._record.files)

    def know_weights(self, weights: Mapping[str, object], files: Sequence[ModelFile]) -> None:
        """Adds weights that the take was not begun with, and what was learnt of their files since.

        Written with the next stage or by `finish`; the identity follows the weights.
        """
        known = {**self._record.weights, **weights}
        request = read_members(self.folder / REQUEST).values
        config = read_members(self.folder / CONFIG).values
        self._record = replace(
            self._record,
            identity=identity_of(request, config, known),
            weights=known,
            made_with=with_model_files(self._record.made_with, files),
        )

    def begin(self, stage: TakeStage) -> None:
        """Notes that `stage` is running, so that after a crash one sees where it happened."""
        self._require_next(stage)
        self._save(stage, StageRecord(state=StageState.RUNNING))

    def plan(self, plan: ScorePlan, note: StageNote) -> None:
        """Saves the planned score; its request must be the take's (ValueError)."""
        self._require_next(TakeStage.PLAN)
        if sha256_of(json_bytes(plan.request.to_json())) != hash_file(self.folder / REQUEST):
            raise ValueError("the plan is of another request than the take")
        marks = {name: self._write(name, data) for name, data in plan_files(plan, {"plan": note.seconds}).items()}
        self._complete(TakeStage.PLAN, note, marks, size=len(plan.abc_ids), truncated=plan.truncated)

    def semantic(self, tokens: SemanticTokens, note: StageNote) -> None:
        """Saves the semantic tokens: at least one, each in [0, 32768), else ValueError."""
        self._require_next(TakeStage.SEMANTIC)
        if not tokens.codec or not all(0 <= value < CODEC_SIZE for value in tokens.codec):
            raise ValueError(f"semantic tokens must be one or more values in [0, {CODEC_SIZE})")
        marks = {SEMANTIC: self._write(SEMANTIC, ids_bytes(tokens.codec))}
        self._complete(TakeStage.SEMANTIC, note, marks, size=len(tokens.codec), truncated=tokens.truncated)

    def latents(self, latents: Latents, note: StageNote) -> None:
        """Saves the latents, float32 [F, 64]; Problem(NON_FINITE) for NaN or infinities, before writing."""
        self._require_next(TakeStage.LATENTS)
        marks = {LATENTS: self._write(LATENTS, latents_bytes(latents))}
        self._complete(TakeStage.LATENTS, note, marks, size=len(latents))

    def audio(self, samples: Audio, note: StageNote) -> None:
        """Saves the sound, float32 [samples, 2] at 48,000 Hz; Problem(NON_FINITE) for NaN or infinities."""
        self._require_next(TakeStage.AUDIO)
        path = self.folder / self._record.audio_file
        write_audio(path, samples, kept=self.kept)
        marks = {path.name: FileMark(sha256=hash_file(path), bytes=path.stat().st_size)}
        self._complete(TakeStage.AUDIO, note, marks, size=len(samples))

    def failed(self, stage: TakeStage, problem: Problem) -> None:
        """Notes that `stage` was cancelled or failed and why; what is complete stays, the journal too.

        Where even the note cannot be written (the disk is full) this is logged: `problem` is what the caller
        reports.
        """
        cancelled = problem.kind is ProblemKind.CANCELLED
        state = StageState.CANCELLED if cancelled else StageState.FAILED
        try:
            self._save(stage, StageRecord(state=state, problem=problem.sentence))
        except Problem as second:
            _log.warning("the failure of %s could not be noted: %s", stage.value, second.sentence)

    def stop_here(self) -> None:
        """Ends a take that was asked for only up to its last complete stage: the journal goes."""
        self._store(self._record)
        remove_journal(self.journal)

    def finish(self) -> TakeResult:
        """Writes result.json once every stage is complete and removes the journal."""
        stages = self._record.stages
        unfinished = [stage.value for stage in _ORDER if stages[stage].state is not StageState.COMPLETE]
        if unfinished:
            raise RuntimeError(f"the take is not finished: {', '.join(unfinished)}")
        seconds = {stage.value: note.seconds for stage in _ORDER if (note := stages[stage].note) is not None}
        result = TakeResult(
            identity=self._record.identity,
            abc_truncated=bool(stages[TakeStage.PLAN].truncated),
            semantic_truncated=bool(stages[TakeStage.SEMANTIC].truncated),
            samples=stages[TakeStage.AUDIO].size or 0,
            weights=self._record.weights,
            timing={**seconds, "total": sum(seconds.values())},
            artifacts={
                **{name: _marked(self.folder / name) for name in (REQUEST, CONFIG)},
                **self._record.files,
            },
        )
        self._store(self._record)
        self._write(RESULT, json_bytes(result.to_json()))
        remove_journal(self.journal)
        return result

    def _require_next(self, stage: TakeStage) -> None:
        for earlier in _ORDER[: _ORDER.index(stage)]:
            if self._record.stages[earlier].state is not StageState.COMPLETE:
                raise RuntimeError(f"{stage.value} cannot be saved before {earlier.value}")
        if self._record.stages[stage].state is StageState.COMPLETE:
            raise RuntimeError(f"{stage.value} was saved already")

    def _write(self, name: str, data: bytes) -> FileMark:
        write_bytes(self.folder / name, data, kept=self.kept)
        return FileMark(sha256=sha256_of(data), bytes=len(data))

    def _complete(
        self,
        stage: TakeStage,
        note: StageNote,
        marks: Mapping[str, FileMark],
        *,
        size: int,
        truncated: bool | None = None,
    ) -> None:
        record = StageRecord(StageState.COMPLETE, note=note, size=size, truncated=truncated, files=marks)
        self._save(stage, record)

    def _save(self, stage: TakeStage, stage_record: StageRecord) -> None:
        self._store(self._record.with_stage(stage, stage_record, _now()))

    def _store(self, record: TakeRecord) -> None:
        write_bytes(self.folder / TAKE, json_bytes(record.to_json()), kept=tuple(record.files))
        self._record = record


def _require_audio_name(name: str) -> None:
    if name not in AUDIO_NAMES:
        raise Problem(
            ProblemKind.BAD_REQUEST,
            f"A take's sound is called {' or '.join(AUDIO_NAMES)}, not {name}.",
            audio_name=name,
        )


def _marked(path: Path) -> FileMark:
    return FileMark(sha256=hash_file(path), bytes=path.stat().st_size)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
