"""How long a stage took and how much memory it needed at its peak."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import psutil

from yue2_desktop.library.record import StageNote

if TYPE_CHECKING:
    import torch

_EVERY_S: Final = 0.05


class Meter:
    """Measures while it is open: seconds, the process's resident memory, and the device's allocations on CUDA.

    Resident memory is looked at twenty times a second: a peak shorter than that can be missed.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._process = psutil.Process()
        self._done = threading.Event()
        self._peak = 0
        self._seconds = 0.0
        self._thread = threading.Thread(target=self._look, name="memory-meter", daemon=True)

    def __enter__(self) -> Self:
        if self._device.type == "cuda":
            import torch

            torch.cuda.reset_peak_memory_stats(self._device)
        self._peak = self._process.memory_info().rss
        self._start = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._seconds = time.monotonic() - self._start
        self._done.set()
        self._thread.join()

    def note(self, *, generator: str | None = None, resumed: bool = False) -> StageNote:
        """What was measured, for take.json."""
        device_peak = None
        if self._device.type == "cuda":
            import torch

            device_peak = torch.cuda.max_memory_allocated(self._device)
        return StageNote(
            seconds=round(self._seconds, 3),
            peak_memory_bytes=self._peak,
            peak_device_bytes=device_peak,
            generator=generator,
            resumed=resumed,
        )

    def _look(self) -> None:
        while True:
            self._peak = max(self._peak, self._process.memory_info().rss)
            if self._done.wait(_EVERY_S):
                return
