"""Which fused attention kernel a card uses, and why there must be one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from yue2_desktop.plan.memory_nar import Chunk
from yue2_desktop.plan.shape import ModelShape

#: Fused kernels by preference. The plain path is not among them: it writes out every score.
FUSED: Final = ("flash", "efficient", "cudnn")
_FLOAT: Final = 4


def choose_attention(accepted: Collection[str]) -> str | None:
    """The kernel to use of those that a probe on the card accepted; None where there is none.

    A torch build may offer a kernel that it does not hold (Windows wheels register flash: user-reports.md, row
    29), so only the probe's word counts.
    """
    return next((name for name in FUSED if name in accepted), None)


def plain_attention_bytes(shape: ModelShape, chunk: Chunk) -> int:
    """What the plain path takes beside everything else in a velocity evaluation: all scores, in float32, once."""
    return shape.heads * chunk.rows * chunk.keys * _FLOAT
