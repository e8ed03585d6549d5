"""The opened model between jobs: kept while files and plan stay the same, and let go for anything else."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import torch

from yue2_desktop.cli.making import open_for
from yue2_desktop.cli.opened import Opened, OpenedFiles, open_files
from yue2_desktop.cli.order import Order
from yue2_desktop.engine.pipeline import Pipeline
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.plan.held import Held, held_by
from yue2_desktop.plan.peaks import CONTEXT_BYTES
from yue2_desktop.song.errors import Problem, ProblemKind

#: What tells one state of files from another: path, size in bytes, time of change in ns.
_Print = tuple[tuple[str, int, int], ...]


class _Part(Protocol):
    @property
    def files(self) -> tuple[Path, ...]: ...


_P = TypeVar("_P", bound=_Part)


class _Shelf(Generic[_P]):
    """One opened part, as long as its files are what they were."""

    def __init__(self, open_part: Callable[[Path], _P]) -> None:
        self._open = open_part
        self._kept: tuple[Path, _P, _Print] | None = None

    def of(self, place: Path) -> _P:
        """The part at `place`; the same object while nothing there has changed. Raises Problem."""
        if self._kept is not None:
            where, part, seen = self._kept
            if where == place and seen == _print(part.files):
                return part
        self._kept = None
        part = self._open(place)
        self._kept = (place, part, _print(part.files))
        return part


@dataclass(frozen=True)
class _Built:
    """A pipeline with its weights, by what it was built from."""

    model: ModelFiles
    plan: object
    pipeline: Pipeline


class KeptModel:
    """Opens the model of each order, or hands out the one that is open. For one thread."""

    def __init__(self) -> None:
        self._models = _Shelf(_open_model)
        self._vaes = _Shelf(_open_vae)
        self._built: _Built | None = None

    def opened_for(self, order: Order) -> Opened:
        """Model and decoder for `order`, as `cli.making.open_for`; with the weights of the last job where they serve.

        It is planned as if nothing were held, since what is held serves the same plan, and is let go for another one.
        Raises Problem.
        """
        where = order.invocation
        if where.model is None:
            self.release()
            return open_for(order)
        files = OpenedFiles(self._models.of(where.model), None if where.vae is None else self._vaes.of(where.vae))
        if self._built is not None and self._built.model is files.model:
            opened = _planned(order, files)
            if opened is not None and self._built.plan == _plan_of(opened):
                pipeline = self._built.pipeline
                pipeline.vae = opened.vae or pipeline.vae
                return replace(opened, pipeline=pipeline)
        self.release()
        opened = open_for(order, files, _held())
        if opened.pipeline is not None and files.model is not None:
            self._built = _Built(files.model, _plan_of(opened), opened.pipeline)
        return opened

    def release(self) -> None:
        """Lets the weights go; the files stay open, which costs little and spares reading the tokenizer again."""
        if self._built is not None:
            self._built.pipeline.release()
        self._built = None


def _planned(order: Order, files: OpenedFiles) -> Opened | None:
    """The order planned while weights are kept; None where it does not fit although they count as free."""
    try:
        return open_for(replace(order, run_anyway=False), files, _held())
    except Problem as problem:
        if problem.kind in {ProblemKind.DOES_NOT_FIT, ProblemKind.OUT_OF_MEMORY}:
            return None
        raise


def _held() -> Held:
    """What this process has of memory and cards: a plan counts Python, torch and the context itself."""
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return held_by(os.getpid())
    reserved = {index: torch.cuda.memory_reserved(index) for index in range(torch.cuda.device_count())}
    return held_by(os.getpid(), {index: held + CONTEXT_BYTES for index, held in reserved.items() if held})


def _plan_of(opened: Opened) -> object:
    """What a pipeline is built from, besides the files."""
    if opened.planned is None:
        return None
    return opened.planned.plan.candidate, opened.planned.card, tuple(sorted(opened.planned.arrangement.kernels.items()))


def _open_model(place: Path) -> ModelFiles:
    model = open_files(place, None).model
    if model is None:
        raise RuntimeError("no model is open")
    return model


def _open_vae(place: Path) -> VaeFiles:
    vae = open_files(None, place).vae
    if vae is None:
        raise RuntimeError("no decoder is open")
    return vae


def _print(files: Sequence[Path]) -> _Print:
    return tuple(_state(path) for path in files)


def _state(path: Path) -> tuple[str, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return str(path), -1, -1  # gone: other than before, so that it is opened again, which says so
    return str(path), found.st_size, found.st_mtime_ns
