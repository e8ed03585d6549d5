"""How much memory of a device is taken: torch's own count on a card, nothing on the processor."""

from __future__ import annotations

from typing import Protocol

import torch


class Gauge(Protocol):
    """Bytes of live tensors; None where nobody counts."""

    def reset(self) -> None:
        """The peak begins anew."""
        ...

    def peak(self) -> int | None: ...

    def live(self) -> int | None: ...


class CardGauge:
    """The allocator's count on a CUDA device."""

    def __init__(self, device: torch.device) -> None:
        self._device = device

    def reset(self) -> None:
        torch.cuda.synchronize(self._device)
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(self._device)

    def peak(self) -> int | None:
        return torch.cuda.max_memory_allocated(self._device)

    def live(self) -> int | None:
        torch.cuda.synchronize(self._device)
        return torch.cuda.memory_allocated(self._device)


class NoGauge:
    """Where tensors are not counted."""

    def reset(self) -> None:
        """There is no peak."""

    def peak(self) -> int | None:
        return None

    def live(self) -> int | None:
        return None
