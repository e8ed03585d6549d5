"""The noise that a song starts from: one draw for all its frames, the same on every device (spec yue2, section 4)."""

from __future__ import annotations

import torch


def song_noise(frames: int, latent_dim: int, seed: int) -> torch.Tensor:
    """Standard normal [frames, latent_dim], fp32 on the CPU; the global generator is not touched."""
    generator = torch.Generator("cpu").manual_seed(seed)
    return torch.randn(frames, latent_dim, generator=generator, dtype=torch.float32)
