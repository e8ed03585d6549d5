"""The keys and values of one sequence, sized to what is asked and not to the context."""

from __future__ import annotations

import torch

from yue2_desktop.engine.config import ModelConfig


class KVCache:
    """Keys (after norm and rotation) and values of every layer, [layers, kv_heads, capacity, head_dim] each."""

    def __init__(self, config: ModelConfig, capacity: int, dtype: torch.dtype, device: torch.device) -> None:
        shape = (config.layers, config.kv_heads, capacity, config.head_dim)
        self.keys = torch.empty(shape, dtype=dtype, device=device)
        self.values = torch.empty(shape, dtype=dtype, device=device)
        self.length = 0

    @property
    def capacity(self) -> int:
        return self.keys.shape[2]

    def write(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Puts k, v [n, kv_heads, head_dim] of a layer behind the first `length` rows; returns all so far.

        The result is [kv_heads, length + n, head_dim], views. `length` grows once, with `advance`, when every
        layer has written.
        """
        stop = self.length + k.shape[0]
        self.keys[layer, :, self.length : stop] = k.transpose(0, 1)
        self.values[layer, :, self.length : stop] = v.transpose(0, 1)
        return self.keys[layer, :, :stop], self.values[layer, :, :stop]

    def advance(self, rows: int) -> None:
        self.length += rows

    def layer(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of one layer, [kv_heads, length, head_dim], views."""
        return self.keys[index, :, : self.length], self.values[index, :, : self.length]
