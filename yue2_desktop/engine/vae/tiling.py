"""Decoding a song of any length in tiles of bounded memory (spec yue2, section 5)."""

from __future__ import annotations

from collections.abc import Callable

import torch

from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.vae.decoder import Decoder

#: Frames to either side that reach into a tile: the exact receptive field of the decoder.
RECEPTIVE_HALO = 12


def tile_count(frames: int, core: int) -> int:
    return -(-frames // core)


def decode_tiled(
    decoder: Decoder,
    latents: torch.Tensor,
    core: int,
    halo: int,
    cancel: CancelToken,
    on_tile: Callable[[int], None],
) -> torch.Tensor:
    """Latents [frames, latent] fp32 on the CPU -> wave [samples, channels] fp32 on the CPU, not clamped.

    Each tile of `core` frames is decoded with `halo` frames around it, and its own samples are copied out; the tiles
    need no fade since the halo covers the receptive field. `on_tile(done)` after each. Raises ValueError for a
    smaller halo, Problem(CANCELLED) between tiles.
    """
    if halo < RECEPTIVE_HALO:
        raise ValueError(f"halo must be at least {RECEPTIVE_HALO} frames for this decoder, not {halo}")
    if core < 1:
        raise ValueError(f"a tile needs at least one frame, not {core}")
    frames = latents.shape[0]
    ratio = decoder.config.downsampling_ratio
    total = decoder.samples(frames)
    wave = torch.empty(total, decoder.config.audio_channels)
    device = decoder.first.weight.device
    for number, start in enumerate(range(0, frames, core), 1):
        cancel.check()
        left, right = max(0, start - halo), min(frames, start + core + halo)
        tile = decoder(latents[left:right].T[None].to(device))[0]
        first, last = start * ratio, min((start + core) * ratio, total)
        offset = (start - left) * ratio
        wave[first:last] = tile[:, offset : offset + last - first].T.cpu()
        on_tile(number)
    return wave
