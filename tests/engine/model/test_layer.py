"""A layer's steps over many rows, taken some at a time, against the same over all rows at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from yue2_desktop.engine.model import layer as layer_module
from yue2_desktop.engine.model.layer import LayerWeights, add_attention_, add_feed_forward_, queries
from yue2_desktop.engine.model.rope import rope_table
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader

Reader = Callable[[str], WeightReader]
ROWS = 11


def _all_steps(reader: WeightReader, layer: LayerWeights) -> tuple[torch.Tensor, ...]:
    config = reader.config
    generator = torch.Generator().manual_seed(9)
    x = torch.randn(ROWS, config.hidden_size, generator=generator)
    attended = torch.randn(config.heads, ROWS, config.head_dim, generator=generator)
    # Strided as in a cache that is longer than what is written.
    room = torch.zeros(2, config.kv_heads, ROWS + 5, config.head_dim)
    keys, values = room[0, :, 2 : 2 + ROWS], room[1, :, 2 : 2 + ROWS]
    places = rope_table(3, ROWS, config.head_dim, config.rope_theta, torch.float32, x.device)
    q = queries(x, layer, config, places, keys, values)
    add_attention_(x, layer, attended)
    after_attention = x.clone()
    add_feed_forward_(x, layer, config)
    return q, room, after_attention, x


def test_rows_taken_some_at_a_time_are_the_rows_taken_at_once(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """fp32, 1e-5 of the largest value: a product of fewer rows may add in another order."""
    r = reader("fp32")
    layer = r.layer(Branch.NAR, 1)
    whole = _all_steps(r, layer)
    monkeypatch.setattr(layer_module, "ROWS", 4)
    parts = _all_steps(r, layer)
    for name, part, all_rows in zip(("q", "keys and values", "attention", "MLP"), parts, whole, strict=True):
        assert float((part - all_rows).abs().max()) <= 1e-5 * float(all_rows.abs().max()), name
    room = whole[1]
    assert torch.count_nonzero(room[:, :, :2]) == 0, "rows before the place were touched"
    assert torch.count_nonzero(room[:, :, 2 + ROWS :]) == 0, "rows behind the place were touched"
