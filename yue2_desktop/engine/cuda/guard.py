"""What stands around each stage of a render on its device: the allocator's cap, the attention, named failures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from yue2_desktop.engine.cuda.memory import cap_allocator
from yue2_desktop.engine.cuda.paths import CardPaths
from yue2_desktop.engine.failures import named_failures


@contextmanager
def guarded(paths: CardPaths, *, attends: bool = True, budget: int | None = None) -> Iterator[None]:
    """Around a stage. On a card: memory is capped at what is free now, `budget` bytes at most, and attention runs on
    fused kernels only where the stage `attends`.

    On every device errors of memory and of a lost card leave it as Problem(OUT_OF_MEMORY) and Problem(DEVICE_LOST).
    """
    with named_failures():
        cap_allocator(paths.device, budget)
        with paths.fused_attention() if attends else nullcontext():
            yield
