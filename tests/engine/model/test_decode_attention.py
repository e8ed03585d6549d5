"""Sums of rows against float32 attention, over chunk borders and against what lies in fresh memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.model.attention import open_attention
from yue2_desktop.engine.model.decode_attention import CHUNK, RowSumCache
from yue2_desktop.engine.model.kv_cache import KVCache

CPU = torch.device("cpu")
CONFIG = replace(RELEASED_MODEL, layers=2)
HEADS, KV_HEADS, D = CONFIG.heads, CONFIG.kv_heads, CONFIG.head_dim


def _rows(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(CONFIG.layers, KV_HEADS, count, D, generator=generator) for _ in range(2))  # type: ignore[return-value]


def _filled(length: int, capacity: int, dtype: torch.dtype = torch.float32) -> KVCache:
    cache = KVCache(CONFIG, capacity, dtype, CPU)
    keys, values = _rows(length, 1)
    cache.keys[:, :, :length] = keys
    cache.values[:, :, :length] = values
    cache.advance(length)
    return cache


def _query(seed: int, scale: float = 1.0) -> torch.Tensor:
    return torch.randn(HEADS, D, generator=torch.Generator().manual_seed(seed)) * scale


@pytest.mark.parametrize("length", [1, CHUNK - 1, CHUNK, CHUNK + 1, 500])
def test_one_row_against_float32(length: int) -> None:
    """The issue's bound, 1e-3: float16 keys, values, scores and shares; bf16 attention errs by 2.5e-3."""
    plain = _filled(length, length + 1)
    table = RowSumCache(plain, HEADS)
    keys, values = _rows(1, 2)
    table.make_room()
    for layer in range(CONFIG.layers):
        table.put(layer, keys[layer, :, 0], values[layer, :, 0])
        new = plain.place(layer, 1)
        new[0].copy_(keys[layer])
        new[1].copy_(values[layer])
        q = _query(layer)
        wanted = open_attention(q[:, None].clone(), *plain.layer(layer, 1))[:, 0]
        found = table.attend(layer, q)
        assert float((found.float() - wanted).norm() / wanted.norm()) <= 1e-3


def test_many_tokens_one_after_another() -> None:
    """Over two chunk borders: what was put stays, and nothing of a fresh chunk is seen."""
    plain = _filled(100, 400)
    table = RowSumCache(plain, HEADS)
    keys, values = _rows(300, 5)
    for step in range(300):
        table.make_room()
        for layer in range(CONFIG.layers):
            table.put(layer, keys[layer, :, step], values[layer, :, step])
            new = plain.place(layer, 1)
            new[0].copy_(keys[layer, :, step : step + 1])
            new[1].copy_(values[layer, :, step : step + 1])
        if step % 37 == 0 or step in {27, 28, 29, 155, 156}:
            q = _query(step)
            wanted = open_attention(q[:, None].clone(), *plain.layer(1, 1))[:, 0]
            assert float((table.attend(1, q).float() - wanted).norm() / wanted.norm()) <= 1e-3
        table.advance()
        plain.advance(1)
    assert table.length == 400


def test_what_fresh_memory_holds_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = torch.empty
    monkeypatch.setattr(torch, "empty", lambda *shape, **how: empty(*shape, **how).fill_(float("nan")))
    table = RowSumCache(_filled(130, 300), HEADS)
    monkeypatch.undo()
    for _ in range(140):  # into a chunk that was never written
        table.make_room()
        for layer in range(CONFIG.layers):
            table.put(layer, torch.ones(KV_HEADS, D), torch.ones(KV_HEADS, D))
        assert bool(torch.isfinite(table.attend(0, _query(1))).all())
        table.advance()


def test_sharp_attention_finds_its_token() -> None:
    """Large scores: one key that equals the query takes nearly all, and float16 does not overflow on the way."""
    plain = _filled(300, 301)
    q = _query(3, scale=6.0)
    plain.keys[0, :, 211] = q.view(KV_HEADS, HEADS // KV_HEADS, D)[:, 0]
    table = RowSumCache(plain, HEADS)
    found = table.attend(0, q).view(KV_HEADS, HEADS // KV_HEADS, D)[:, 0]
    assert float((found.float() - plain.values[0, :, 211]).abs().max()) <= 2e-3


def test_bytes_are_those_of_a_16_bit_cache() -> None:
    table = RowSumCache(_filled(10, 1000, torch.bfloat16), HEADS)
    assert table.nbytes == 2 * 2 * CONFIG.layers * KV_HEADS * D * 1024
