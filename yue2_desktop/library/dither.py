"""Rounding a sound to 16 bits with triangular dither, so that quiet endings become noise and not distortion."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SCALE = 32_768


class Dither16:
    """Rounds the blocks of one sound, in order. The same `seed` gives the same bits, so exports can be compared.

    The dither is the difference of two uniform numbers, which spans -1 to 1 of the last bit (TPDF): the error then
    has no mean and no variance that depends on the sound (Lipshitz, Wannamaker, Vanderkooy, JAES 40 (1992), 355).
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def rounded(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.int16]:
        """The block, float32 [n, channels] in -1..1, as int16; what lies outside is clipped."""
        # Drawn sample by sample, so that the bits do not depend on how the sound is cut into blocks.
        noise = self._rng.random((*block.shape, 2), dtype=np.float32)
        values = block.astype(np.float64) * _SCALE + (noise[..., 0].astype(np.float64) - noise[..., 1])
        return np.clip(np.rint(values), -_SCALE, _SCALE - 1).astype(np.int16)
