"""Grouped-query attention against the sums written out in float64, and what it asks of the fused kernel."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F

from yue2_desktop.engine.model.attention import causal_attention, open_attention

HEADS, KV_HEADS, WIDTH = 6, 2, 16


def _inputs(rows: int, keys: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(rows * 100 + keys)
    q, k, v = (torch.randn(heads, length, WIDTH, generator=generator) for heads, length in
               ((HEADS, rows), (KV_HEADS, keys), (KV_HEADS, keys)))  # fmt: skip
    return q, k, v


def _written_out(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool) -> torch.Tensor:
    """Head h reads KV head h // 3."""
    k, v = (t.double().repeat_interleave(HEADS // KV_HEADS, dim=0) for t in (k, v))
    scores = q.double() @ k.transpose(1, 2) / WIDTH**0.5
    if causal:
        hidden = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("tile", [0, 1, 4, 7, 100])
@pytest.mark.parametrize(("rows", "keys"), [(7, 19), (1, 5)])
def test_open_attention(rows: int, keys: int, tile: int) -> None:
    """1e-6: float32 against float64 at values of size 1."""
    q, k, v = _inputs(rows, keys)
    wanted = _written_out(q, k, v, causal=False)
    assert float((open_attention(q, k, v, query_tile=tile) - wanted).abs().max()) <= 1e-6


def test_causal_attention() -> None:
    """1e-6: float32 against float64 at values of size 1."""
    q, k, v = _inputs(9, 9)
    wanted = _written_out(q, k, v, causal=True)
    assert float((causal_attention(q, k, v) - wanted).abs().max()) <= 1e-6


def test_the_kernel_is_given_neither_a_mask_nor_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either one sends it to a path that holds the whole score matrix on some builds; keys and values go unexpanded."""
    seen: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = []
    fused = F.scaled_dot_product_attention

    def watched(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, **options: Any) -> torch.Tensor:
        seen.append((tuple(q.shape), tuple(k.shape), options))
        return fused(q, k, v, **options)

    monkeypatch.setattr(F, "scaled_dot_product_attention", watched)
    q, k, v = _inputs(5, 5)
    open_attention(q.clone(), k, v)
    causal_attention(q, k, v)
    assert seen == [
        ((1, KV_HEADS, 15, WIDTH), (1, KV_HEADS, 5, WIDTH), {}),
        *[((1, KV_HEADS, 5, WIDTH), (1, KV_HEADS, 5, WIDTH), {"is_causal": True})] * 3,
    ]
