"""Layers that pass through a few buffers, each read while the one before it is computed with."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import torch

from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.reader import Reader

BUFFERS = 3


@dataclass
class _Slot:
    """One buffer: what it holds, and the mark behind the last computation that read it."""

    layer: LayerWeights | None = None
    used: object = None


class StreamedLayers:
    """The layers of a branch, to be iterated as often as wanted; at most `BUFFERS` of them are in memory.

    One pass flows into the next: while the last layers are computed with, the first ones are read again. Used as a
    context manager: leaving it stops the reading and drops the buffers.
    """

    def __init__(self, reader: Reader, branch: Branch) -> None:
        self._reader = reader
        self._branch = branch
        self._slots = [_Slot() for _ in range(BUFFERS)]
        self._pending: deque[tuple[int, _Slot, Future[object]]] = deque()
        self._started = 0
        self._worker = reader.transfer.background()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops reading ahead and drops the buffers."""
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._pending.clear()
        self._slots.clear()

    def __iter__(self) -> Iterator[LayerWeights]:
        total = self._reader.config.layers
        if self._pending and self._pending[0][0] != 0:
            self._restart()  # the pass before this one was broken off
        while len(self._pending) < min(BUFFERS - 1, total):
            self._read_ahead(total)
        for _ in range(total):
            _, slot, future = self._pending.popleft()
            self._reader.transfer.wait(future.result())
            if slot.layer is None:
                raise RuntimeError("a layer was not read")
            yield slot.layer
            slot.used = self._reader.transfer.used()
            self._read_ahead(total)

    def _read_ahead(self, total: int) -> None:
        index, slot = self._started % total, self._slots[self._started % BUFFERS]
        self._started += 1
        self._pending.append((index, slot, self._worker.submit(self._read, index, slot)))

    @torch.inference_mode()
    def _read(self, index: int, slot: _Slot) -> object:
        transfer = self._reader.transfer
        transfer.hold(slot.used)
        slot.layer = self._reader.refill(self._branch, index, slot.layer)
        return transfer.arrived()

    def _restart(self) -> None:
        while self._pending:
            self._pending.popleft()[2].result()
        # The next buffer to fill must not be one that the broken pass still computes with.
        for slot in self._slots:
            slot.used = self._reader.transfer.used()
        self._started = 0
