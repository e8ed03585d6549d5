"""Attention as two products in float32 against the sums in float64, and against the fused kernel."""

from __future__ import annotations

import pytest
import torch

from yue2_desktop.engine.model import product_attention
from yue2_desktop.engine.model.attention import open_attention
from yue2_desktop.engine.model.product_attention import attention_by_products

HEADS, KV_HEADS, WIDTH = 16, 8, 128
#: What rounding a result to bf16 costs by itself, 2^-9 / sqrt(3) of a number at the worst place of its binade, with
#: some room; where a processor rounds the probabilities, too, it is twice that at most.
TOLERANCE = 2 * 2.0**-9


def _inputs(rows: int, keys: int, scale: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(rows * 1000 + keys)
    shapes = ((HEADS, rows), (KV_HEADS, keys), (KV_HEADS, keys))
    q, k, v = (torch.randn(heads, count, WIDTH, generator=generator) for heads, count in shapes)
    return (scale * q).bfloat16(), (scale * k).bfloat16(), v.bfloat16()


def _exact(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    k, v = (kept.double().repeat_interleave(HEADS // KV_HEADS, dim=0) for kept in (k, v))
    return (q.double() @ k.transpose(1, 2) / WIDTH**0.5).softmax(-1) @ v


def _error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.double() - wanted).norm() / wanted.norm())


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("rows", "keys"), [(1, 1), (7, 40), (300, 77), (33, 600)])
def test_sums_are_exact_up_to_the_rounding_of_the_result(rows: int, keys: int, scale: float) -> None:
    q, k, v = _inputs(rows, keys, scale)
    wanted = _exact(q, k, v)
    given = q.clone()
    found = attention_by_products(given, k, v)
    assert found.dtype is torch.bfloat16
    assert found.data_ptr() == given.data_ptr()
    assert _error(found, wanted) <= TOLERANCE
    fused = _error(open_attention(q, k, v), wanted)
    assert _error(found, wanted) <= max(1.5 * fused, TOLERANCE / 2)


def test_tiles_change_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tiles, other blocks of the same float32 sums: 2^-9, one last bit of bf16, where a sum lies on the edge."""
    q, k, v = _inputs(50, 90, 1.0)
    whole = attention_by_products(q.clone(), k, v)
    monkeypatch.setattr(product_attention, "_ROWS", 16)
    tiled = attention_by_products(q.clone(), k, v)
    assert float((whole.float() - tiled.float()).abs().max()) <= 2.0**-9 * float(whole.float().abs().max())
    monkeypatch.setattr(product_attention, "_SCORES", 90)  # a row at a time, as behind very many keys
    single = attention_by_products(q.clone(), k, v)
    assert float((whole.float() - single.float()).abs().max()) <= 2.0**-9 * float(whole.float().abs().max())


def test_the_setting_of_the_process_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    q, k, v = _inputs(3, 5, 1.0)
    seen: list[str] = []
    mm = torch.mm

    def watched(*given: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        seen.append(torch.get_float32_matmul_precision())
        if len(seen) > 16:
            raise RuntimeError("in the middle")
        return mm(*given, out=out)

    monkeypatch.setattr(torch, "mm", watched)
    before = torch.get_float32_matmul_precision()
    attention_by_products(q.clone(), k, v)
    assert set(seen) == {"medium"}
    assert torch.get_float32_matmul_precision() == before
    with pytest.raises(RuntimeError, match="in the middle"):
        attention_by_products(q.clone(), k, v)
    assert torch.get_float32_matmul_precision() == before


def test_the_longest_context() -> None:
    q, k, v = _inputs(1, 24_576, 1.0)
    assert _error(attention_by_products(q.clone(), k, v), _exact(q, k, v)) <= TOLERANCE
