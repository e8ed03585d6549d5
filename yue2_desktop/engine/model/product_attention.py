"""Attention of many rows on a processor as two matrix products in float32, for numbers in bf16.

torch's fused kernel multiplies bf16 on a processor at a fraction of what oneDNN's float32 products reach. Scores and
probabilities are kept in float32, so that the result is as near to the exact one as its own rounding lets it be, where
oneDNN multiplies them as they are (see `_products_of_onednn`); the fused kernel rounds its probabilities to bf16.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

#: Query rows that attend at once, and elements of their scores: what is alive beside keys and values is 16 MiB.
_ROWS = 512
_SCORES = 1 << 22


def attention_by_products(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Every query sees every key. q [heads, n, d], used up: the result lies in its memory; k, v [kv_heads, t, d].

    Keys and values of one head at a time are there in float32, in the same memory for all. On the CPU only.
    """
    heads, n, d = q.shape
    kv_heads, t = k.shape[:2]
    tile = min(max(1, _SCORES // t), _ROWS)
    scores = torch.empty(tile, t)
    result = torch.empty(tile, d)
    keys, values = torch.empty(t, d), torch.empty(t, d)
    with _products_of_onednn():
        for head, queries in enumerate(q.view(kv_heads, heads // kv_heads * n, d)):
            keys.copy_(k[head])
            values.copy_(v[head])
            for rows in torch.split(queries, tile):
                count = rows.shape[0]
                seen, summed = scores[:count], result[:count]
                # Scaled afterwards: q may go into the product in the bits that it has, whichever kernel takes it.
                torch.mm(rows.float(), keys.T, out=seen)
                torch.softmax(seen.mul_(d**-0.5), -1, out=seen)
                torch.mm(seen, values, out=summed)
                rows.copy_(summed)
    return q


@contextmanager
def _products_of_onednn() -> Iterator[None]:
    """float32 products go to oneDNN instead of MKL, which leaves half of an AMD processor's width unused.

    oneDNN may take bf16 inside them then, which it does on some processors. Queries, keys and values are bf16 already
    and lose nothing; probabilities are rounded there, as the fused kernel rounds them. The setting is the process's,
    which computes in one thread.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
