"""Where a model lies in the folder that the user names: told by its own description, before the engine opens it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop import paths
from yue2_desktop.song.errors import Problem, ProblemKind

_DEPTH: Final = 3
_MOST_BYTES: Final = 100_000
_MODEL, _DECODER = "yue2", "yue2_vae"
_GGUF: Final = b"GGUF"


@dataclass(frozen=True)
class FoundModels:
    """The model (a checkpoint's folder or a GGUF file) and the audio decoder; None for what is not there.

    `is_test` says that it is the built-in test model, whose sound is noise; `is_folder` that the folder is there.
    """

    model: Path | None = None
    vae: Path | None = None
    is_test: bool = False
    is_folder: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether songs can be rendered with it."""
        return self.model is not None and self.vae is not None


def no_model() -> Problem:
    """Why nothing can be rendered."""
    return Problem(ProblemKind.MODEL_MISSING, "There is no model yet; choose the folder that it lies in, then render.")


def find_models(folder: Path) -> FoundModels:
    """Looks in `folder` and those below it; a checkpoint goes before a GGUF file. What cannot be read is passed by."""
    model = vae = gguf = None
    for path in _folders(folder, _DEPTH):
        kind = _kind(path / "config.json")
        if kind == _MODEL:
            model = model or path
        elif kind == _DECODER:
            vae = vae or path
        gguf = gguf or next((file for file in sorted(path.glob("*.gguf")) if _is_gguf(file)), None)
    found = model or gguf
    return FoundModels(found, vae, found is not None and _is_test(found), folder.is_dir())


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    yield folder
    if depth == 0:
        return
    try:
        below = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    for path in below:
        yield from _folders(Path(path), depth - 1)


def _kind(config: Path) -> str:
    try:
        with config.open("rb") as file:
            values = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return ""
    return str(values.get("model_type", "")) if isinstance(values, dict) else ""


def _is_test(model: Path) -> bool:
    """Whether a model has the shape of the test model; nobody else makes them as small."""
    own = paths.resources() / "test-model" / "mot" / "config.json"
    try:
        return (model / "config.json").read_bytes() == own.read_bytes()
    except OSError:
        return False


def _is_gguf(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_GGUF)) == _GGUF
    except OSError:
        return False
