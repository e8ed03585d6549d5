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

    def place(self, layer: int, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Where the keys and values of a layer's next rows go, [kv_heads, rows, head_dim] each, views.

        `length` grows once, with `advance`, when every layer has put its own there.
        """
        new = slice(self.length, self.length + rows)
        return self.keys[layer, :, new], self.values[layer, :, new]

    def advance(self, rows: int) -> None:
        self.length += rows

    def layer(self, index: int, new: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of one layer with `new` rows more, [kv_heads, length + new, head_dim], views."""
        stop = self.length + new
        return self.keys[index, :, :stop], self.values[index, :, :stop]
