"""The AR branch: a causal pass over tokens, with or without a cache that was filled before (spec yue2, section 3)."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.attention import causal_attention, open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights, add_attention_, add_feed_forward_, queries
from yue2_desktop.engine.model.rope import RopeTable
from yue2_desktop.engine.progress import CancelToken


def forward(
    x: torch.Tensor,
    layers: Iterable[LayerWeights],
    cache: KVCache,
    positions: RopeTable,
    config: ModelConfig,
    cancel: CancelToken,
) -> torch.Tensor:
    """Runs rows x [n, hidden] through the layers and appends their keys and values to `cache`; changes x.

    Either the cache is empty (a prefill, causal) or n is 1 (a decode step, which sees everything). Returns
    [n, hidden] before the final norm. Raises Problem(CANCELLED) between layers.
    """
    n = x.shape[0]
    if n > 1 and cache.length:
        raise ValueError("several rows can only be appended to an empty cache")
    rope = positions.rows(cache.length, n)
    for index, layer in enumerate(layers):
        if n > 1:
            cancel.check()
        add_attention_(x, layer, _attended(x, index, layer, cache, rope, config))
        add_feed_forward_(x, layer, config)
    cache.advance(n)
    return x


def _attended(
    x: torch.Tensor, index: int, layer: LayerWeights, cache: KVCache, rope: RopeTable, config: ModelConfig
) -> torch.Tensor:
    """What the rows of x see in one layer, [heads, n, d]; their keys and values are in the cache behind it."""
    n = x.shape[0]
    q = queries(x, layer, config, rope, *cache.place(index, n))
    keys, values = cache.layer(index, n)
    return causal_attention(q, keys, values) if n > 1 else open_attention(q, keys, values)
