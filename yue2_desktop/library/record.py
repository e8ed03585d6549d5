"""What take.json says: what made the take, how far each stage is, and what its files are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from yue2_desktop.library.members import Members, read_members
from yue2_desktop.library.names import AUDIO_NAMES, TAKE, StageState, TakeStage
from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.belonging import SongOfTake

SCHEMA: Final = 1
#: What draws random numbers, in the order of the stages; each starts afresh from its seed.
SEEDS: Final = ("score", "semantic", "noise")


@dataclass(frozen=True)
class FileMark:
    """One file of the take: size in bytes and sha256 in lower-case hex."""

    sha256: str
    bytes: int


@dataclass(frozen=True)
class ModelFile:
    """One file of the model: its part (`mot`, `vae`, `tokenizer`), name, bytes, and sha256 where it is known."""

    part: str
    name: str
    bytes: int
    sha256: str | None = None


@dataclass(frozen=True)
class MadeWith:
    """What makes a take: the program, the model and the machine, in plain words.

    `plan` is the mode that was chosen (for example `bf16`) with what the planner says of it, `kernels` the
    implementation chosen for each operation, `driver` the graphics driver's version or None on the CPU.
    """

    app_version: str
    model_files: tuple[ModelFile, ...]
    weights_licence: str
    device: str
    dtype: str
    driver: str | None = None
    kernels: Mapping[str, str] = field(default_factory=dict)
    plan: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class StageNote:
    """How one stage went: seconds, peaks in bytes, and the generator that its randomness came from.

    `generator` is for example `cpu mt19937`; None for a stage that draws nothing. `resumed` says that the
    stage went on from a journal; `reused_from` names the take that its result was taken from; `stepped_down` says
    which smaller plan was taken when memory ran out. `decoding` is the way in which tokens were decoded (`eager`,
    `row-sums`, or a recorded step), `attention` that in which frames attended (`fused`, `products`). `score_errors`
    and `score_warnings` count what the score that the model wrote is wrong in.
    """

    seconds: float
    peak_memory_bytes: int | None = None
    peak_device_bytes: int | None = None
    generator: str | None = None
    resumed: bool = False
    reused_from: str | None = None
    stepped_down: str | None = None
    decoding: str | None = None
    attention: str | None = None
    score_errors: int | None = None
    score_warnings: int | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError(f"a stage takes 0 seconds or more, not {self.seconds}")


@dataclass(frozen=True)
class StageRecord:
    """One stage in take.json. `size` counts its tokens, frames or samples; `truncated` is for token stages."""

    state: StageState = StageState.WAITING
    note: StageNote | None = None
    size: int | None = None
    truncated: bool | None = None
    files: Mapping[str, FileMark] = field(default_factory=dict)
    problem: str | None = None

    def to_json(self) -> dict[str, object]:
        """The record as the value of its stage's name in take.json."""
        return {
            "state": self.state.value,
            "size": self.size,
            "truncated": self.truncated,
            "problem": self.problem,
            **({} if self.note is None else asdict(self.note)),
            "files": {name: asdict(mark) for name, mark in self.files.items()},
        }


@dataclass(frozen=True)
class TakeRecord:
    """The whole of take.json. Times are ISO 8601 in UTC; `weights` and `identity` are those of result.json.

    `song` is None for a take that was made without a song document, from the command line.

    `seeds` says what the chance of `score`, `semantic` and `noise` started from: the request's seed for all three
    (spec/yue2.md, section 8), but for stages that were kept of a take with another one.
    """

    identity: str
    seeds: Mapping[str, int]
    created: str
    updated: str
    audio_file: str
    weights: Mapping[str, object]
    made_with: Mapping[str, object]
    stages: Mapping[TakeStage, StageRecord]
    song: SongOfTake | None = None

    def with_stage(self, stage: TakeStage, record: StageRecord, updated: str) -> TakeRecord:
        """A copy in which `stage` is `record`."""
        return replace(self, stages={**self.stages, stage: record}, updated=updated)

    @property
    def files(self) -> dict[str, FileMark]:
        """The files of all stages by name."""
        return {name: mark for record in self.stages.values() for name, mark in record.files.items()}

    def to_json(self) -> dict[str, object]:
        """The content of take.json."""
        return {
            "schema": SCHEMA,
            "identity": self.identity,
            **({} if self.song is None else {"song": self.song.to_json()}),
            "created": self.created,
            "updated": self.updated,
            "seeds": dict(self.seeds),
            "audio_file": self.audio_file,
            "made_with": dict(self.made_with),
            "weights": dict(self.weights),
            "stages": {stage.value: record.to_json() for stage, record in self.stages.items()},
        }


def made_with_json(made_with: MadeWith) -> dict[str, object]:
    """`made_with` as plain values."""
    return {
        **asdict(made_with),
        "model_files": [asdict(file) for file in made_with.model_files],
        "kernels": dict(made_with.kernels),
        "plan": dict(made_with.plan),
    }


def model_files(made_with: Mapping[str, object]) -> tuple[ModelFile, ...]:
    """The model files in a `made_with` of take.json; an entry of another form (a later version's) is left out."""
    entries = made_with.get("model_files")
    found = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            part, name, size, digest = (entry.get(key) for key in ("part", "name", "bytes", "sha256"))
            if isinstance(part, str) and isinstance(name, str) and type(size) is int:
                found.append(ModelFile(part, name, size, digest if isinstance(digest, str) else None))
    return tuple(found)


def with_model_files(made_with: Mapping[str, object], files: Sequence[ModelFile]) -> dict[str, object]:
    """`made_with` as plain values with `files` added to its model files; one of the same part and name goes."""
    new = {(file.part, file.name) for file in files}
    kept = [file for file in model_files(made_with) if (file.part, file.name) not in new]
    return {**made_with, "model_files": [asdict(file) for file in (*kept, *files)]}


def read_record(folder: Path) -> TakeRecord:
    """The take.json in `folder`; Problem(BAD_FILE) naming the member that is missing or wrong."""
    path = folder / TAKE
    members = read_members(path)
    schema = members.whole("schema")
    if schema != SCHEMA:
        raise bad_file(path, f"is of version {schema}, this program reads {SCHEMA}; update the program")
    audio_file = members.text("audio_file")
    if audio_file not in AUDIO_NAMES:
        raise members.problem("audio_file", " or ".join(AUDIO_NAMES), audio_file)
    stages = members.section("stages")
    return TakeRecord(
        identity=members.text("identity"),
        seeds={name: members.section("seeds").whole(name) for name in SEEDS},
        created=members.text("created"),
        updated=members.text("updated"),
        audio_file=audio_file,
        weights=members.section("weights").values,
        made_with=members.section("made_with").values,
        stages={stage: _stage(stages.section(stage.value)) for stage in TakeStage},
        song=_song(members.optional_section("song")),
    )


def _song(members: Members | None) -> SongOfTake | None:
    if members is None:
        return None
    song, take = members.text("id"), members.optional_whole("take")
    if not song:
        raise members.problem("id", "text that is not empty", song)
    if take is not None and take < 1:
        raise members.problem("take", "1 or more", take)
    return SongOfTake(song, members.text("title"), take)


def _stage(members: Members) -> StageRecord:
    state = members.text("state")
    if state not in set(StageState):
        raise members.problem("state", f"one of {', '.join(StageState)}", state)
    seconds = members.optional_number("seconds")
    return StageRecord(
        state=StageState(state),
        note=None if seconds is None else _note(members, seconds),
        size=members.optional_whole("size"),
        truncated=members.optional_flag("truncated"),
        files=_marks(members.section("files")),
        problem=members.optional_text("problem"),
    )


def _note(members: Members, seconds: float) -> StageNote:
    if seconds < 0:
        raise members.problem("seconds", "0 or more", seconds)
    return StageNote(
        seconds=seconds,
        peak_memory_bytes=members.optional_whole("peak_memory_bytes"),
        peak_device_bytes=members.optional_whole("peak_device_bytes"),
        generator=members.optional_text("generator"),
        resumed=members.optional_flag("resumed") or False,
        reused_from=members.optional_text("reused_from"),
        stepped_down=members.optional_text("stepped_down"),
        decoding=members.optional_text("decoding"),
        attention=members.optional_text("attention"),
        score_errors=members.optional_whole("score_errors"),
        score_warnings=members.optional_whole("score_warnings"),
    )


def _marks(members: Members) -> dict[str, FileMark]:
    marks = {}
    for name in members.values:
        mark = members.section(name)
        marks[name] = FileMark(sha256=mark.text("sha256"), bytes=mark.whole("bytes"))
    return marks
