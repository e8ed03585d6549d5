"""How weights travel from files to the device: through one bounded staging buffer, never a second copy of the model.

Streams, events, pinning and the reading thread are all behind `Transfer`, so that the model itself never asks what
kind of device it is on, and the memory meter of the tests can put its own in this place.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Protocol

import torch

#: fill(out, start): puts rows start.. of a tensor into out [n, ...] on the CPU.
Fill = Callable[[torch.Tensor, int], None]

STAGING_SLOT = 64 << 20


class Transfer(Protocol):
    """Moves rows to the device, possibly behind the computation's back."""

    def put(self, out: torch.Tensor, fill: Fill) -> None:
        """Fills out [n, ...] on the device. What follows `arrived` may read it."""
        ...

    def arrived(self) -> object:
        """A mark behind all that was `put` so far."""
        ...

    def wait(self, mark: object) -> None:
        """The computation goes on when what lies before `mark` has arrived."""
        ...

    def used(self) -> object:
        """A mark behind the computation so far."""
        ...

    def hold(self, mark: object) -> None:
        """What is `put` from now on waits until the computation has passed `mark`."""
        ...

    def background(self) -> Executor:
        """Where reading ahead runs: one worker, so that order is kept. The caller shuts it down."""
        ...


class HostTransfer:
    """To the CPU's own memory: rows are read where they will stay; there is nothing to wait for."""

    def put(self, out: torch.Tensor, fill: Fill) -> None:
        fill(out, 0)

    def arrived(self) -> object:
        return None

    def wait(self, mark: object) -> None:
        """Nothing: `put` is done when it returns."""

    def used(self) -> object:
        return None

    def hold(self, mark: object) -> None:
        """Nothing: the computation is done when its call returns."""

    def background(self) -> Executor:
        return ThreadPoolExecutor(1, "weights")


class CudaTransfer:
    """To a CUDA device on a stream of its own, through two slots of host memory, pinned where RAM allows."""

    def __init__(self, device: torch.device, *, pinned: bool, slot_bytes: int = STAGING_SLOT) -> None:
        self._device = device
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._slots = [torch.empty(slot_bytes, dtype=torch.uint8, pin_memory=pinned) for _ in range(2)]
        self._free: list[torch.cuda.Event | None] = [None, None]
        self._next = 0
        # Layers are read ahead by a thread of their own while this one may read something else.
        self._turn = threading.Lock()

    def put(self, out: torch.Tensor, fill: Fill) -> None:
        row_bytes = out[0].nbytes
        rows = max(1, self._slots[0].nbytes // row_bytes)
        for start in range(0, out.shape[0], rows):
            part = out[start : start + rows]
            with self._turn:
                self._put_part(part, lambda stage, start=start: fill(stage, start))  # type: ignore[misc]

    def _put_part(self, part: torch.Tensor, fill: Callable[[torch.Tensor], None]) -> None:
        if part.nbytes > self._slots[0].nbytes:  # one row alone is larger than a slot
            stage = torch.empty(part.shape, dtype=part.dtype)
            fill(stage)
            part.copy_(stage)
            return
        index, self._next = self._next, 1 - self._next
        event = self._free[index]
        if event is not None:
            event.synchronize()
        stage = self._slots[index][: part.nbytes].view(part.dtype).view(part.shape)
        fill(stage)
        with torch.cuda.stream(self._stream):
            part.copy_(stage, non_blocking=True)
            done = torch.cuda.Event()  # type: ignore[no-untyped-call]
            done.record(self._stream)
        self._free[index] = done

    def arrived(self) -> object:
        event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        event.record(self._stream)
        return event

    def wait(self, mark: object) -> None:
        if isinstance(mark, torch.cuda.Event):
            torch.cuda.current_stream(self._device).wait_event(mark)

    def used(self) -> object:
        event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        event.record(torch.cuda.current_stream(self._device))
        return event

    def hold(self, mark: object) -> None:
        if isinstance(mark, torch.cuda.Event):
            self._stream.wait_event(mark)

    def background(self) -> Executor:
        return ThreadPoolExecutor(1, "weights")


def transfer_to(device: torch.device, *, pinned: bool = False) -> Transfer:
    """The transfer that suits a device."""
    if device.type == "cuda":
        return CudaTransfer(device, pinned=pinned)
    return HostTransfer()
