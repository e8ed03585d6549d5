"""The choice of how frames attend on the processor: timed once, kept, and told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from yue2_desktop.engine.attention_choice import (
    fused_attention,
    processor_attention,
    time_open_attention,
)
from yue2_desktop.engine.config import RELEASED_MODEL, ModelConfig
from yue2_desktop.engine.cuda.verdicts import VerdictStore, verdict_file
from yue2_desktop.engine.model.product_attention import attention_by_products
from yue2_desktop.engine.processor import Timing


@pytest.mark.parametrize(("products", "way"), [(7.0, "products"), (10.5, "fused"), (20.0, "fused")])
def test_the_faster_way_is_taken_and_kept(tmp_path: Path, products: float, way: str) -> None:
    asked = []

    def measure(config: ModelConfig, dtype: torch.dtype) -> Timing:
        asked.append((config, dtype))
        return Timing(products, 11.0)

    for _ in range(2):  # as two starts of the program
        store = VerdictStore(tmp_path / "verdicts.json", "this machine")
        chosen = processor_attention(RELEASED_MODEL, torch.bfloat16, store=store, measure=measure)
        assert chosen.name == way
        assert (chosen.attend is attention_by_products) == (way == "products")
    assert asked == [(RELEASED_MODEL, torch.bfloat16)]
    verdict = VerdictStore(tmp_path / "verdicts.json", "this machine").get("attention-by-products bfloat16")
    assert verdict is not None
    assert "11.0 ms" in verdict.reason


def test_a_toy_and_float32_keep_the_reference_kernel_untimed() -> None:
    def measure(config: ModelConfig, dtype: torch.dtype) -> Timing:
        raise AssertionError("not asked")

    small = replace(RELEASED_MODEL, head_dim=32)
    assert processor_attention(small, torch.bfloat16, measure=measure).name == "fused"
    assert processor_attention(RELEASED_MODEL, torch.float32, measure=measure).name == "fused"


def test_this_machine_is_timed_and_remembered() -> None:
    chosen = processor_attention(RELEASED_MODEL, torch.bfloat16)
    assert chosen.name in {"products", "fused"}
    assert "attention-by-products bfloat16" in verdict_file().read_text(encoding="utf-8")
    times = time_open_attention(RELEASED_MODEL, torch.bfloat16)
    assert times.other > 0 < times.reference


def test_either_way_attends_alike() -> None:
    """5e-3: each is within 2.5e-3 of the exact sums (see test_product_attention)."""
    generator = torch.Generator().manual_seed(1)
    q, k, v = (torch.randn(heads, rows, 128, generator=generator).bfloat16() for heads, rows in
               ((16, 20), (8, 64), (8, 64)))  # fmt: skip
    wanted = fused_attention(torch.device("cpu")).attend(q.clone(), k, v).float()
    found = attention_by_products(q.clone(), k, v).float()
    assert float((found - wanted).norm() / wanted.norm()) <= 5e-3
