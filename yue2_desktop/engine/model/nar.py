"""The NAR branch: velocity of the latents under the cached tokens (spec yue2, section 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.attention import OpenAttention, open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import ROWS, LayerWeights, add_attention_, add_feed_forward_, queries
from yue2_desktop.engine.model.linear import Linear
from yue2_desktop.engine.model.norm import rms_norm
from yue2_desktop.engine.model.rope import RopeTable
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.weights.layout import TIME_FREQUENCIES


@dataclass(frozen=True)
class FlowWeights:
    """What the NAR branch has outside its layers. `positions` [rows, hidden] covers 0..n+1 of the longest chunk."""

    latent_in: Linear
    latent_out: Linear
    time_in: Linear
    time_out: Linear
    positions: torch.Tensor
    final_norm: torch.Tensor


def shifted_time(raw: float, shift: float, dtype: torch.dtype) -> torch.Tensor:
    """The model's time [1] from raw (a logit): rounded to dtype first, then sigmoid and shift, rounded in dtype."""
    t = torch.sigmoid(torch.tensor([raw], dtype=dtype))
    return shift * t / (1 + (shift - 1) * t)


def time_embedding(time: torch.Tensor, weights: FlowWeights, dtype: torch.dtype) -> torch.Tensor:
    """time [n] -> [n, hidden] in dtype. Cosines come first; the time is not multiplied by 1000."""
    half = TIME_FREQUENCIES
    exponents = torch.arange(half, dtype=torch.float32) * (-math.log(10000.0)) / half
    angles = time.float()[:, None] * torch.exp(exponents)[None, :]
    waves = torch.cat([angles.cos(), angles.sin()], dim=-1).to(dtype).to(weights.positions.device)
    return weights.time_out(F.silu(weights.time_in(waves)))


def position_table(rows: int, hidden: int) -> torch.Tensor:
    """Rows 0..rows-1 of the latent position embedding [rows, hidden], fp32: interleaved sine and cosine."""
    frequencies = torch.exp(torch.arange(0, hidden, 2, dtype=torch.float32) * (-math.log(10000.0) / hidden))
    angles = torch.arange(rows, dtype=torch.float32)[:, None] * frequencies[None, :]
    return torch.stack([angles.sin(), angles.cos()], dim=-1).view(rows, hidden)


class Velocity:
    """The velocity field of one chunk: holds the cached tokens and a workspace for a layer's keys and values."""

    def __init__(
        self,
        config: ModelConfig,
        weights: FlowWeights,
        layers: Iterable[LayerWeights],
        cache: KVCache,
        positions: RopeTable,
        frames: int,
        *,
        attend: OpenAttention = open_attention,
    ) -> None:
        """`positions` must cover the frames + 2 places that follow the chunk's tokens; rows see by `attend`."""
        self._config = config
        self._weights = weights
        self._layers = layers
        self._cache = cache
        self._positions = positions
        self._attend = attend
        total = cache.length + frames + 2
        shape = (2, config.kv_heads, total, config.head_dim)
        self._workspace = torch.empty(shape, dtype=cache.keys.dtype, device=cache.keys.device)

    def __call__(self, x: torch.Tensor, raw: float, cancel: CancelToken) -> torch.Tensor:
        """Velocity [n, latent] at x [n, latent] (dtype and device of the model) and raw time `raw` (a logit).

        Raises Problem(CANCELLED) between layers.
        """
        config, weights = self._config, self._weights
        h = weights.latent_in(F.pad(x, (0, 0, 1, 1)))
        time = shifted_time(raw, config.timestep_shift, x.dtype)
        h.add_(time_embedding(time, weights, x.dtype))
        h.add_(weights.positions[: h.shape[0]])
        for index, layer in enumerate(self._layers):
            cancel.check()
            add_attention_(h, layer, self._attended(h, index, layer))
            add_feed_forward_(h, layer, config)
        normed = (rms_norm(rows, weights.final_norm, config.rms_eps) for rows in torch.split(h, ROWS))
        return torch.cat([weights.latent_out(rows) for rows in normed])[1:-1]

    def _attended(self, h: torch.Tensor, index: int, layer: LayerWeights) -> torch.Tensor:
        """What the rows of h see in one layer, [heads, rows, d]: all cached tokens, and each other."""
        keys, values = self._workspace[0], self._workspace[1]
        cached_keys, cached_values = self._cache.layer(index)
        tokens = self._cache.length
        keys[:, :tokens] = cached_keys
        values[:, :tokens] = cached_values
        q = queries(h, layer, self._config, self._positions, keys[:, tokens:], values[:, tokens:])
        return self._attend(q, keys, values)
