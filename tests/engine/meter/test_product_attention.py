"""What attention by products holds beside queries, keys and values, counted."""

from __future__ import annotations

import pytest
import torch
from metering.storages import StorageMeter

from yue2_desktop.engine.model.product_attention import attention_by_products

HEADS, KV_HEADS, WIDTH = 4, 2, 128
MIB = 1 << 20


@pytest.mark.parametrize("places", [600, 9_600, 24_576])
def test_scores_and_one_head_in_float32(places: int) -> None:
    """The scores of a tile, 16 MiB at most, keys and values of one head, and the tile's rows before and after."""
    meter = StorageMeter("cpu")
    with meter:
        q = torch.ones(HEADS, 300, WIDTH, dtype=torch.bfloat16)
        k = torch.ones(KV_HEADS, places, WIDTH, dtype=torch.bfloat16)
        v = torch.ones_like(k)
        before = meter.device.live
        meter.device.begin()
        attention_by_products(q, k, v)
    assert meter.device.live == before
    rows = min(512, 4 * MIB // places)
    assert rows * places * 4 <= 16 * MIB
    expected = 4 * (rows * places + 2 * places * WIDTH + 2 * rows * WIDTH)
    assert abs(meter.device.peak - before - expected) <= 0.01 * expected
