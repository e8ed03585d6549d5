"""Grouped-query attention without expanding keys or values.

Query head h reads KV head h // group. The heads of a group are folded into the query length where no mask is needed,
and taken one by one where the causal mask is: on some builds the grouped option of the fused kernel falls silently to
a path that materialises the whole score matrix.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F

#: Query rows that attend at once on a CPU; it changes memory only. With the 256 of the reference, torch's kernel takes
#: narrower tiles of its own, which cost a tenth of its time (at 500 frames behind 1,000 tokens, bf16 and fp32 alike).
CPU_QUERY_TILE = 1024

#: attend(q, k, v): every query sees every key. q [heads, n, d], used up; k, v [kv_heads, t, d] -> [heads, n, d].
OpenAttention = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def open_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, query_tile: int = 0) -> torch.Tensor:
    """Every query sees every key.

    q [heads, n, d], used up: the result may lie in its memory; k, v [kv_heads, t, d] -> [heads, n, d]. `query_tile` > 0
    takes so many rows at a time, which changes memory only.
    """
    n = q.shape[1]
    if query_tile <= 0 or query_tile >= n:
        return _open(q, k, v)
    for start in range(0, n, query_tile):
        tile = q[:, start : start + query_tile]
        tile.copy_(_open(tile, k, v))
    return q


def _open(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    heads, n, d = q.shape
    kv_heads = k.shape[0]
    folded = q.reshape(1, kv_heads, heads // kv_heads * n, d)
    return F.scaled_dot_product_attention(folded, k[None], v[None]).view(heads, n, d)


def causal_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Row i sees keys 0..i. q [heads, n, d], used up: the result lies in its memory; k, v [kv_heads, n, d]."""
    heads, n, d = q.shape
    kv_heads = k.shape[0]
    grouped = q.view(kv_heads, heads // kv_heads, n, d)
    for member in grouped.unbind(1):
        member.copy_(F.scaled_dot_product_attention(member[None], k[None], v[None], is_causal=True)[0])
    return q
