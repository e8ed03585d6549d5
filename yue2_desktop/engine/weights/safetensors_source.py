"""Tensors of a safetensors checkpoint, one file or shards, read one at a time."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from yue2_desktop.engine.failures import is_memory_refused, problem_of
from yue2_desktop.engine.weights.safetensors_header import TensorEntry, read_header
from yue2_desktop.song.errors import Problem, ProblemKind

_DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
_SHARD = re.compile(r"model-(\d{5})-of-(\d{5})\.safetensors")

_log = logging.getLogger(__name__)


class SafetensorsSource:
    """A `TensorSource` over one or more safetensors files with distinct tensor names."""

    def __init__(self, files: Sequence[Path], where: str | None = None) -> None:
        """Reads the headers and opens the files. Raises Problem when one is damaged or names repeat."""
        self._where = where or str(files[0])
        self._entries: dict[str, TensorEntry] = {}
        self._files: dict[str, Path] = {}
        self._handles: dict[Path, Any] = {}
        self._unmapped: set[Path] = set()
        for path in files:
            for name, entry in read_header(path).items():
                if name in self._entries:
                    raise Problem(
                        ProblemKind.MODEL_DAMAGED,
                        f"Tensor '{name}' is in {self._files[name].name} and again in {path.name}. "
                        "Keep one set of weight files in the folder.",
                    )
                self._entries[name] = entry
                self._files[name] = path

    @property
    def where(self) -> str:
        return self._where

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(self._files.values()))

    def names(self) -> frozenset[str]:
        return frozenset(self._entries)

    def shape(self, name: str) -> tuple[int, ...]:
        return self._entries[name].shape

    def entry(self, name: str) -> TensorEntry:
        """Type, shape and bytes as stored."""
        return self._entries[name]

    def read(self, name: str) -> torch.Tensor:
        path = self._files[name]
        if path not in self._unmapped:
            try:
                return self._whole(name)
            except (SafetensorError, OSError) as error:
                if not is_memory_refused(error):
                    raise self._unreadable(name, error) from error
                # What Windows refuses is to map the file; one tensor may well have room (user-reports.md, row 24).
                _log.warning("%s: %s; its tensors are read one by one from now on", path, error)
                self._unmapped.add(path)
        return self.read_rows(name, 0, self.shape(name)[0])

    def read_rows(self, name: str, start: int, stop: int) -> torch.Tensor:
        # A slice of `safe_open` with the pread backend reads the whole tensor; rows are read from the file directly.
        entry = self._entries[name]
        dtype = _DTYPES.get(entry.dtype)
        if dtype is None:
            raise self._not_weights(name)
        rows = torch.empty(stop - start, *entry.shape[1:], dtype=dtype)
        self._fill(name, start, rows)
        return rows

    def read_rows_into(self, name: str, start: int, out: torch.Tensor) -> None:
        """Fills `out` with rows from `start` on, straight from the file where its dtype is the stored one."""
        if out.dtype is _DTYPES.get(self._entries[name].dtype):
            self._fill(name, start, out)
        else:
            out.copy_(self.read_rows(name, start, start + out.shape[0]))

    def _fill(self, name: str, start: int, out: torch.Tensor) -> None:
        entry = self._entries[name]
        width = entry.nbytes // entry.shape[0] if entry.shape[0] else 0
        try:
            with self._files[name].open("rb") as file:
                file.seek(entry.offset + start * width)
                got = file.readinto(out.view(torch.uint8).numpy().data)
        except OSError as error:
            raise self._unreadable(name, error) from error
        if got != out.nbytes:
            raise self._unreadable(name, "the file ends before it")

    def _whole(self, name: str) -> torch.Tensor:
        tensor: torch.Tensor = self._handle(self._files[name]).get_tensor(name)
        if not tensor.is_floating_point():
            raise self._not_weights(name)
        return tensor

    def _unreadable(self, name: str, why: object) -> Problem:
        path = self._files[name]
        refused = problem_of(why) if isinstance(why, OSError) else None
        return refused or Problem(
            ProblemKind.MODEL_DAMAGED,
            f"Tensor '{name}' of {path} cannot be read ({why}). Fetch the file again.",
            path=str(path),
        )

    def _not_weights(self, name: str) -> Problem:
        path = self._files[name]
        return Problem(
            ProblemKind.MODEL_DAMAGED,
            f"Tensor '{name}' of {path} holds {self._entries[name].dtype}, not floating-point weights.",
            path=str(path),
        )

    def _handle(self, path: Path) -> Any:
        handle = self._handles.get(path)
        if handle is None:
            handle = self._handles[path] = _open(path)
        return handle


def _open(path: Path) -> Any:
    # Reading by pread keeps the pages out of this process's memory; mapping 7 GB can also fail on small machines.
    try:
        return safe_open(str(path), framework="pt", backend="pread")
    except TypeError:  # safetensors before 0.8 knows the mapped backend only
        return safe_open(str(path), framework="pt")


def checkpoint_files(folder: Path) -> tuple[Path, ...]:
    """The weight files of a model folder: `model.safetensors`, or all of `model-NNNNN-of-NNNNN.safetensors`.

    Raises Problem when there are none, or a shard is missing.
    """
    single = folder / "model.safetensors"
    if single.is_file():
        return (single,)
    shards: dict[int, Path] = {}
    total = 0
    for path in sorted(folder.glob("model-*-of-*.safetensors")):
        match = _SHARD.fullmatch(path.name)
        if match:
            shards[int(match[1])] = path
            total = max(total, int(match[2]))
    if not shards:
        raise Problem(
            ProblemKind.MODEL_MISSING,
            f"{folder} has no model.safetensors (nor model-00001-of-... shards). "
            "Choose the folder that holds the weights.",
            folder=str(folder),
        )
    missing = [number for number in range(1, total + 1) if number not in shards]
    if missing:
        names = ", ".join(f"model-{number:05d}-of-{total:05d}.safetensors" for number in missing)
        raise Problem(ProblemKind.MODEL_MISSING, f"{folder} lacks {names}. Fetch what is missing.", folder=str(folder))
    return tuple(shards[number] for number in sorted(shards))
