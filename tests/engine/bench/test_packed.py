"""The measuring of packed weights measures what it says, on one small layer."""

from __future__ import annotations

import pytest

from yue2_desktop.engine.bench.packed import WEIGHTS, PackedModel, measure_evaluations, measure_token
from yue2_desktop.engine.quant.w8a8 import has_fbgemm

pytestmark = pytest.mark.skipif(not has_fbgemm(), reason="torch without fbgemm")


@pytest.mark.parametrize(("weights", "bits"), [("q4_0", 5), ("w8a8", 8)])
def test_bytes_of_a_layer(weights: str, bits: int) -> None:
    """50.3 M weights a layer (spec gguf, section 1) at the bits of each form, scales and norms included."""
    layer = PackedModel(weights, 1).layer()
    assert layer.nbytes == pytest.approx(50_336_000 * bits / 8, rel=0.01)


def test_a_token_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yue2_desktop.engine.bench.packed.read_bandwidth", lambda repeats: 1e10)
    for row_sums in (True, False):
        times = measure_token("q4_0", 1, 100, 1, row_sums=row_sums)
        assert times.attention == ("row sums" if row_sums else "torch")
        assert 0 < times.best <= times.typical
        head_bytes = 32_832 * 2048 * 5 // 8  # padded to 64 rows
        assert times.read_bytes == pytest.approx(50_336_000 * 5 / 8 + head_bytes + 100 * 4096, rel=0.01)
        assert times.floor == times.read_bytes / 1e10
        assert times.over_floor == times.best / times.floor


def test_an_evaluation_is_measured() -> None:
    found = measure_evaluations("w8a8", 1, 20, 10)
    assert [times.attention for times in found] == ["products", "fused"]
    assert all(0 < times.best <= times.typical and times.weights == "w8a8" for times in found)
    assert set(WEIGHTS) >= {"q4_0", "w8a8", "packed-fp16"}
