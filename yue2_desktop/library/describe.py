"""What a take's folder holds, for a list of takes and for `inspect`: stages, lengths, files, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, TypeVar

from yue2_desktop.library.arrays import read_ids, read_latents
from yue2_desktop.library.audio_file import audio_length
from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import (
    AUDIO_NAMES,
    JOURNAL,
    LATENTS,
    PLAN,
    REQUEST,
    RESULT,
    SEMANTIC,
    TAKE,
    StageState,
    TakeStage,
)
from yue2_desktop.library.plan_files import load_plan
from yue2_desktop.library.reading import bad_file, hash_file, read_file
from yue2_desktop.library.record import FileMark, TakeRecord, read_record
from yue2_desktop.library.result_file import read_result
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.limits import FRAMES_PER_SECOND
from yue2_desktop.song.request import SongRequest, request_from_json
from yue2_desktop.song.stages import CODEC_SIZE
from yue2_desktop.song.wording import path_text

_T = TypeVar("_T")
_MARKERS: Final = (TAKE, RESULT, PLAN, SEMANTIC, LATENTS)


@dataclass(frozen=True)
class FileFact:
    """One file of a take: bytes, and its sha256 if that was asked for."""

    name: str
    bytes: int
    sha256: str | None = None


@dataclass(frozen=True)
class TakeDescription:
    """A take as found on disk. What could not be read is None, and `problems` says why in sentences.

    `stages` gives a state for each stage, also for takes of the reference, which keep no take.json. `abc_tokens`,
    `frames` (25 a second) and `samples` are the lengths of score, tokens or latents, and sound.
    """

    folder: str
    request: SongRequest | None
    stages: Mapping[TakeStage, StageState]
    abc_tokens: int | None
    abc_truncated: bool | None
    frames: int | None
    semantic_truncated: bool | None
    samples: int | None
    sample_rate: int | None
    identity: str | None
    made_with: Mapping[str, object] | None
    journal: bool
    files: tuple[FileFact, ...]
    problems: tuple[str, ...]

    @property
    def seconds(self) -> float | None:
        """Length of the song in seconds, from the sound or else from the frames."""
        if self.samples is not None and self.sample_rate:
            return self.samples / self.sample_rate
        return None if self.frames is None else self.frames / FRAMES_PER_SECOND

    def to_json(self) -> dict[str, object]:
        """The description as plain values."""
        return {
            **asdict(self),
            "request": None if self.request is None else self.request.to_json(),
            "stages": {stage.value: state.value for stage, state in self.stages.items()},
            "seconds": self.seconds,
        }


def is_take(folder: Path) -> bool:
    """Whether `folder` looks like a take, of this program or the reference."""
    return any((folder / name).is_file() for name in _MARKERS)


def describe(folder: Path, *, hashes: bool = False) -> TakeDescription:
    """What the take in `folder` holds; with `hashes` every file is hashed and held against the records.

    What is missing from a record, edited, damaged or unreadable becomes a sentence in `problems`. Raises
    Problem(BAD_FILE) only where `folder` itself, or a file that is to be hashed, cannot be read.
    """
    facts = _file_facts(folder, hashes=hashes)
    problems: list[str] = []
    seen = _Seen(folder, frozenset(fact.name for fact in facts), problems)
    record = seen.tried(TAKE, lambda _: read_record(folder))
    result = seen.tried(RESULT, lambda _: read_result(folder))
    request = seen.tried(REQUEST, lambda path: request_from_json(read_members(path).values).request)
    plan = seen.tried(PLAN, lambda _: load_plan(folder))
    codec = seen.tried(SEMANTIC, lambda path: len(read_ids(read_file(path), path, limit=CODEC_SIZE)))
    latents = seen.tried(LATENTS, lambda path: len(read_latents(read_file(path), path)))
    sound = next((found for name in AUDIO_NAMES if (found := seen.tried(name, audio_length))), None)
    if codec is not None and latents is not None and codec != latents:
        problems.append(f"{LATENTS} has {latents:,} frames, but {SEMANTIC} has {codec:,}.")
    marks = {**(result.artifacts if result else {}), **(record.files if record else {})}
    problems.extend(_differences(facts, marks))
    if record is not None:
        semantic_truncated = record.stages[TakeStage.SEMANTIC].truncated
    else:
        semantic_truncated = result.semantic_truncated if result else None
    return TakeDescription(
        folder=path_text(folder),
        request=request or (plan.request if plan else None),
        stages={stage: seen.state(stage, record) for stage in TakeStage},
        abc_tokens=len(plan.abc_ids) if plan else None,
        abc_truncated=plan.truncated if plan else None,
        frames=latents if latents is not None else codec,
        semantic_truncated=semantic_truncated,
        samples=sound[0] if sound else None,
        sample_rate=sound[1] if sound else None,
        identity=record.identity if record else result.identity if result else None,
        made_with=record.made_with if record else None,
        journal=(folder / JOURNAL).is_dir(),
        files=facts,
        problems=tuple(problems),
    )


@dataclass(frozen=True)
class _Seen:
    """The files of a folder, and where to put the sentences about those that cannot be read."""

    folder: Path
    names: frozenset[str]
    problems: list[str]

    def tried(self, name: str, read: Callable[[Path], _T]) -> _T | None:
        """What `read` makes of the file `name`; None if it is not there or, noted, not readable."""
        if name not in self.names:
            return None
        try:
            return read(self.folder / name)
        except Problem as problem:
            self.problems.append(problem.sentence)
            return None

    def state(self, stage: TakeStage, record: TakeRecord | None) -> StageState:
        """The state on record, or for a take without one whether the stage's file is there."""
        if record is not None:
            return record.stages[stage].state
        files = {TakeStage.PLAN: (PLAN,), TakeStage.SEMANTIC: (SEMANTIC,), TakeStage.LATENTS: (LATENTS,)}
        found = self.names.intersection(files.get(stage, AUDIO_NAMES))
        return StageState.COMPLETE if found else StageState.WAITING


def _file_facts(folder: Path, *, hashes: bool) -> tuple[FileFact, ...]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_symlink() or path.is_file())
    except OSError as error:
        raise bad_file(folder, f"is not a readable folder ({error.strerror}); name the folder of a take") from error
    return tuple(
        FileFact(
            path_text(Path(path.name)),
            path.lstat().st_size,
            hash_file(path) if hashes and not path.is_symlink() else None,
        )
        for path in paths
    )


def _differences(facts: Sequence[FileFact], marks: Mapping[str, FileMark]) -> list[str]:
    found = {fact.name: fact for fact in facts}
    sentences = []
    for name, mark in marks.items():
        fact = found.get(name)
        if fact is None:
            sentences.append(f"{name} is missing.")
        elif fact.bytes != mark.bytes or fact.sha256 not in {None, mark.sha256}:
            sentences.append(f"{name} was changed after it was made.")
    return sentences
