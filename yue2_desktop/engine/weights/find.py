"""YuE2 on a disk: models and decoders found by what their headers say, in subfolders, whatever the files are called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from yue2_desktop.engine.weights.gguf_folder import GgufFile, missing_parts, read_gguf_file
from yue2_desktop.engine.weights.gguf_layouts import Part
from yue2_desktop.engine.weights.gguf_tokenizer import tokenizer_beside
from yue2_desktop.engine.weights.safetensors_kind import SafetensorsKind, safetensors_kind
from yue2_desktop.song.errors import Problem, ProblemKind

#: Folders below the one that is searched; deeper ones are somebody's archive.
DEPTH = 6
_HALVES = frozenset({Part.AR, Part.NAR})


class FoundAs(StrEnum):
    """What was found."""

    MODEL = "model"
    HALF = "half of a model"
    VAE = "audio decoder"
    OTHER = "something else"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Found:
    """One file, or one folder of a checkpoint: what to give to --model or --vae.

    `description` is for people; for what is not usable it is the whole sentence. `missing` lists what must be put
    beside it, with sizes.
    """

    path: Path
    found_as: FoundAs
    description: str
    nbytes: int
    missing: tuple[str, ...] = ()


def find_models(folder: Path, *, depth: int = DEPTH) -> Iterator[Found]:
    """Everything of YuE2 below a folder, and files near to it that are something else; nothing is written.

    It reads headers only, but of every file: run it off the window's thread. What cannot be read is said, not
    skipped. Raises Problem(BAD_FILE) when `folder` is none.
    """
    if not folder.is_dir():
        raise Problem(ProblemKind.BAD_FILE, f"{folder} is no folder. Choose the folder to look in.", path=str(folder))
    yield from _search(folder, depth)


def _search(folder: Path, depth: int) -> Iterator[Found]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Found(folder, FoundAs.UNREADABLE, f"{folder} cannot be read ({error.strerror}).", 0)
        return
    files = [Path(entry.path) for entry in entries if entry.is_file()]
    yield from _ggufs([path for path in files if path.suffix.lower() == ".gguf"])
    yield from _safetensors([path for path in files if path.suffix.lower() == ".safetensors"])
    if depth > 0:
        for entry in entries:
            # Links to folders may go round in circles.
            if entry.is_dir(follow_symlinks=False):
                yield from _search(Path(entry.path), depth - 1)


def _ggufs(paths: list[Path]) -> Iterator[Found]:
    known: list[GgufFile] = []
    for path in paths:
        try:
            known.append(read_gguf_file(path))
        except Problem as problem:
            found_as = FoundAs.OTHER if problem.kind is ProblemKind.BAD_FILE else FoundAs.UNREADABLE
            yield Found(path, found_as, problem.sentence, path.stat().st_size)
    halves = [file for file in known if file.layout.parts & _HALVES and not file.layout.parts >= _HALVES]
    for file in known:
        words = f"YuE2 in GGUF layout {file.layout.letter}, {_main_type(file)}"
        if file.layout.parts >= _HALVES:
            missing = tuple(missing_parts([file], _HALVES))
            yield Found(file.path, FoundAs.MODEL, words, file.path.stat().st_size, missing)
        elif file in halves:
            missing = tuple(missing_parts(halves, _HALVES))
            part = next(part for part in (Part.AR, Part.NAR) if part in file.layout.parts)
            yield Found(file.path, FoundAs.HALF, f"{part} of {words}", file.path.stat().st_size, missing)
        if Part.VAE in file.layout.parts:
            yield Found(file.path, FoundAs.VAE, f"audio decoder of {words}", file.path.stat().st_size)


def _main_type(file: GgufFile) -> str:
    """The type of most of a file's bytes."""
    totals: dict[str, int] = {}
    for tensor in file.header.tensors.values():
        totals[tensor.type_name] = totals.get(tensor.type_name, 0) + tensor.nbytes
    return max(totals, key=lambda name: totals[name])


_AS = {SafetensorsKind.MODEL: FoundAs.MODEL, SafetensorsKind.VAE: FoundAs.VAE}


def _safetensors(paths: list[Path]) -> Iterator[Found]:
    shards_seen = False
    for path in paths:
        try:
            kind, words = safetensors_kind(path)
        except Problem as problem:
            yield Found(path, FoundAs.UNREADABLE, problem.sentence, path.stat().st_size)
            continue
        if kind is SafetensorsKind.SHARD:
            if not shards_seen:
                total = sum(other.stat().st_size for other in paths)
                yield Found(path.parent, FoundAs.MODEL, words, total, _missing(path, kind))
            shards_seen = True
        elif kind in _AS:
            at = path.parent if path.name == "model.safetensors" else path
            yield Found(at, _AS[kind], words, path.stat().st_size, _missing(path, kind))
        else:
            yield Found(
                path, FoundAs.OTHER, f"{path} is {words}, not a model that can be used here.", path.stat().st_size
            )


def _missing(path: Path, kind: SafetensorsKind) -> tuple[str, ...]:
    """What the checkpoint's folder lacks; a file under another name has its configuration in its shapes."""
    missing = []
    if path.name.startswith("model") and not (path.parent / "config.json").is_file():
        missing.append("config.json (1 KB)")
    if kind is not SafetensorsKind.VAE and tokenizer_beside(path) is None:
        missing.append("qwen.tiktoken (2.6 MB)")
    return tuple(missing)
