"""The peak of a stage as a sum of named terms, and the margin that the meter does not see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from yue2_desktop.plan.sizes import MIB

Stage = Literal["score", "semantic", "acoustic", "decode"]
STAGES: Final[tuple[Stage, ...]] = ("score", "semantic", "acoustic", "decode")

#: CUDA context, kernels and cuBLAS workspace, which no meter of live tensors counts: 0.3-0.5 GiB
#: (memory-and-speed.md, section 6).
CONTEXT_BYTES: Final = 512 * MIB
#: What the allocator loses to fragmentation, in parts of what is not weights (same place).
FRAGMENTATION: Final = 0.05


@dataclass(frozen=True)
class Moment:
    """One point of a stage at which memory may be at its highest: its terms in bytes by name.

    `dynamic` are the terms that come and go (KV cache, activations), `fixed` the weights and buffers.
    """

    name: str
    fixed: tuple[tuple[str, int], ...]
    dynamic: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Live bytes at this moment."""
        return sum(size for _, size in self.fixed + self.dynamic)


@dataclass(frozen=True)
class Peak:
    """The highest moment of a stage.

    `unmetered` is workspace that the stage's libraries take beside live tensors (convolutions), bytes.
    """

    stage: Stage
    moment: Moment
    unmetered: int = 0

    @property
    def live_bytes(self) -> int:
        """What the memory meter counts."""
        return self.moment.total

    @property
    def margin_bytes(self) -> int:
        """What must stay free beside it: context, fragmentation, workspace; never a flat share of the card."""
        dynamic = sum(size for _, size in self.moment.dynamic)
        return CONTEXT_BYTES + round(FRAGMENTATION * dynamic) + self.unmetered

    @property
    def needed_bytes(self) -> int:
        """What must be free for the stage to run."""
        return self.live_bytes + self.margin_bytes


def moment(name: str, fixed: Mapping[str, int], dynamic: Mapping[str, int]) -> Moment:
    """A moment of the given terms; those of no bytes are left out."""
    return Moment(
        name,
        tuple((term, size) for term, size in fixed.items() if size),
        tuple((term, size) for term, size in dynamic.items() if size),
    )


def highest(stage: Stage, *moments: Moment, unmetered: int = 0) -> Peak:
    """The peak among `moments`."""
    return Peak(stage, max(moments, key=lambda m: m.total), unmetered)
