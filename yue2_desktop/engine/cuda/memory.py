"""How much memory a device has left, and the cap under which torch's allocator fails instead of spilling."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

import psutil
import torch

from yue2_desktop.plan.peaks import CONTEXT_BYTES
from yue2_desktop.plan.sizes import MIB, gib

#: What stays free beside the allocator: kernels are loaded as they are first used, the desktop breathes. Less than
#: what the planner leaves for the context and its like (plan/peaks.py), so that what it promised can be had.
RESERVE: Final = 96 * MIB

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DeviceMemory:
    """A card's memory now, bytes: in all, free for any process, held by our allocator, and of that in use."""

    total: int
    free: int
    reserved: int
    allocated: int

    @property
    def available(self) -> int:
        """What our tensors can still take: what is free, and what the allocator holds unused."""
        return max(0, self.free + self.reserved - self.allocated)


def device_memory(device: torch.device) -> DeviceMemory:
    """The memory of a CUDA device; makes its context if there is none yet."""
    free, total = torch.cuda.mem_get_info(device)
    return DeviceMemory(total, free, torch.cuda.memory_reserved(device), torch.cuda.memory_allocated(device))


def device_free_bytes(device: torch.device) -> int:
    """What tensors on a device can still take: on a card as `DeviceMemory.available`, else the main memory's."""
    if device.type == "cuda":
        return device_memory(device).available
    return int(psutil.virtual_memory().available)


def allocator_limit(memory: DeviceMemory, budget: int | None = None) -> int:
    """Bytes that the allocator may hold: what it has and what is free, less `RESERVE`.

    A card's driver on Windows would go on into main memory beyond that, many times slower (user-reports.md, row 11).
    `budget` caps the whole process, its CUDA context included.
    """
    limit = memory.reserved + memory.free - RESERVE
    if budget is not None:
        limit = min(limit, budget - CONTEXT_BYTES)
    return min(max(limit, 0), memory.total)


def cap_allocator(device: torch.device, budget: int | None = None) -> int | None:
    """Caps the allocator of a CUDA device at `allocator_limit`, to be called before each stage: what is free changes.

    The cap in bytes; None for other devices, which have none. Beyond it an allocation raises torch.OutOfMemoryError.
    """
    if device.type != "cuda":
        return None
    memory = device_memory(device)
    limit = allocator_limit(memory, budget)
    torch.cuda.set_per_process_memory_fraction(limit / memory.total, device)
    _log.info("allocator capped at %s: %s of %s free", gib(limit), gib(memory.free), gib(memory.total))
    return limit
