"""The AR branch: a causal pass over tokens, with or without a cache that was filled before (spec yue2, section 3)."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from yue2_desktop.engine.config import ModelConfig
from yue2_desktop.engine.model.attention import causal_attention, open_attention
from yue2_desktop.engine.model.kv_cache import KVCache
from yue2_desktop.engine.model.layer import LayerWeights, feed_forward_, queries_keys_values
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
        q, k, v = queries_keys_values(x, layer, config, rope)
        keys, values = cache.write(index, k, v)
        attended = causal_attention(q, keys, values) if n > 1 else open_attention(q, keys, values)
        x.add_(layer.o(attended))
        feed_forward_(x, layer, config)
    cache.advance(n)
    return x
