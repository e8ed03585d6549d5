"""Closed-form peak of the decode stage: the folded VAE decoder in float32 and the tensors of one tile."""

from __future__ import annotations

from typing import Final

from yue2_desktop.plan.activations import tile_bytes, widest_bytes
from yue2_desktop.plan.peaks import Peak, highest, moment
from yue2_desktop.plan.shape import ModelShape

#: Frames beside a tile's core on either side (spec/yue2.md, section 5: 12 are exact, 16 are passed).
HALO: Final = 16
#: Cores that the planner chooses among, largest first; the reference takes 1,024.
CORES: Final = (1024, 512, 256, 128, 64)
_FLOAT: Final = 4


def decoder_bytes(shape: ModelShape) -> int:
    """The decoder's weights on a device: float32, weight norm folded."""
    return shape.vae.folded_weights * _FLOAT


def decode_peak(shape: ModelShape, core: int, *, frames: int | None = None, parked: int = 0) -> Peak:
    """The peak of decoding tiles of `core` frames with their halo; `parked` are bytes of other halves.

    `frames` bounds the tile of a short song. The workspace of convolutions, which no meter of tensors counts,
    is taken as one tensor of the widest kind.
    """
    tile = core + 2 * HALO if frames is None else min(core + 2 * HALO, frames)
    fixed = {"VAE decoder": decoder_bytes(shape), "other halves": parked}
    dynamic = {
        "tile": tile_bytes(shape.vae, tile),
        "sound": tile * shape.vae.samples_per_frame * shape.vae.out_channels * _FLOAT,
    }
    return highest(
        "decode",
        moment(f"tile of {core} frames", fixed, dynamic),
        unmetered=widest_bytes(shape.vae, tile),
    )
