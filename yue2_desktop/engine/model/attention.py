"""Grouped-query attention without expanding keys or values.

Query head h reads KV head h // group. The heads of a group are folded into the query length where no mask is needed,
and taken one by one where the causal mask is: on some builds the grouped option of the fused kernel falls silently to
a path that materialises the whole score matrix.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F


def open_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, query_tile: int = 0) -> torch.Tensor:
    """Every query sees every key.

    q [n, heads, d]; k, v [kv_heads, t, d] -> [n, heads * d]. `query_tile` > 0 takes so many rows at a time, which
    changes memory only.
    """
    if query_tile <= 0 or query_tile >= q.shape[0]:
        return _open(q, k, v)
    tiles = range(0, q.shape[0], query_tile)
    return torch.cat([_open(q[start : start + query_tile], k, v) for start in tiles])


def _open(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    n, heads, d = q.shape
    kv_heads = k.shape[0]
    group = heads // kv_heads
    folded = q.view(n, kv_heads, group, d).permute(1, 2, 0, 3).reshape(1, kv_heads, group * n, d)
    out = F.scaled_dot_product_attention(folded, k[None], v[None])
    return out.view(kv_heads, group, n, d).permute(2, 0, 1, 3).reshape(n, heads * d)


def causal_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Row i sees keys 0..i. q [n, heads, d]; k, v [kv_heads, n, d] -> [n, heads * d]."""
    n, heads, d = q.shape
    kv_heads = k.shape[0]
    grouped = q.view(n, kv_heads, heads // kv_heads, d).permute(1, 2, 0, 3)
    out = torch.empty(n, kv_heads, heads // kv_heads, d, dtype=q.dtype, device=q.device)
    for member in range(heads // kv_heads):
        part = F.scaled_dot_product_attention(grouped[None, :, member], k[None], v[None], is_causal=True)
        out[:, :, member] = part[0].transpose(0, 1)
    return out.view(n, heads * d)
