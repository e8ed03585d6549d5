"""E4M3 codes against the reference's, and the product by dequantised codes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from yue2_desktop.engine.quant.fp8 import LARGEST, fp8_codes, fp8_row_codes, pack_fp8
from yue2_desktop.engine.weights.layout import Branch, layer_names
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.song.errors import Problem

CPU = torch.device("cpu")


def _weight() -> torch.Tensor:
    generator = torch.Generator().manual_seed(5)
    rows = torch.randn(64, 128, generator=generator) * 0.02
    return (rows * torch.logspace(-1, 1, 64)[:, None]).bfloat16()


def test_the_references_codes_and_scale(
    reader: Callable[[str], WeightReader], golden: Callable[[str], dict[str, torch.Tensor]]
) -> None:
    """Exact (goldens/README.md)."""
    vectors = golden("modules")
    weight = reader("bf16").tensor(layer_names(Branch.AR, 0).q)
    codes, scale = fp8_codes(weight)
    assert torch.equal(codes.view(torch.uint8), vectors["fp8.q_proj_codes_u8"])
    assert torch.equal(scale, vectors["fp8.q_proj_scale"])


def test_a_scale_a_row_uses_the_whole_range_of_every_row() -> None:
    weight = _weight()
    codes, scale = fp8_row_codes(weight)
    assert scale.shape == (64,)
    assert codes.float().abs().amax(1).eq(LARGEST).all()
    # E4M3 has 3 bits behind the point: 2^-4 of each normal value at most.
    large = weight.float().abs() > scale[:, None] * 2.0**-5
    relative = ((codes.float() * scale[:, None]) / weight.float() - 1).abs()
    assert float(relative[large].max()) <= 2.0**-4 + 1e-3


def test_rows_of_zeros_do_not_divide_by_zero() -> None:
    weight = torch.zeros(16, 16)
    for make in (fp8_codes, fp8_row_codes):
        codes, scale = make(weight)
        assert not codes.float().any()
        assert bool((scale > 0).all())


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("rows", [1, 17])
def test_products_have_the_error_of_the_format(rows: int, by_row: bool) -> None:
    """Weights and activations each err by 2.6e-2 (memory-and-speed, section 5, numerics of formats)."""
    weight = _weight()
    linear = pack_fp8(weight, CPU, by_row=by_row)
    assert linear.out_features == 64
    x = torch.randn(rows, 128, generator=torch.Generator().manual_seed(1)).bfloat16()
    found = linear(x)
    assert found.dtype == torch.bfloat16
    wanted = x.double() @ weight.double().T
    assert float((found.double() - wanted).norm() / wanted.norm()) <= 5e-2


def test_a_row_scale_is_the_same_mathematics_as_scaled_weights() -> None:
    weight = _weight()
    linear = pack_fp8(weight, CPU, by_row=True)
    x = torch.randn(3, 128, generator=torch.Generator().manual_seed(1))
    rows, scale_x = fp8_codes(x)
    restored = linear.codes.double() * linear.scale.double()[:, None]
    wanted = (rows.double() * scale_x.double()) @ restored.T
    assert float((linear(x).double() - wanted).norm() / wanted.norm()) <= 1e-6


def test_bytes() -> None:
    assert pack_fp8(_weight(), CPU).nbytes == 64 * 128 + 4
    assert pack_fp8(_weight(), CPU, by_row=True).nbytes == 64 * 128 + 4 * 64


def test_cards_and_matrices_that_do_not_suit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Problem, match=r"multiples of 16, this one is \[64, 120\]"):
        pack_fp8(_weight()[:, :120], CPU)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (8, 6))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "RTX 3050")
    with pytest.raises(Problem, match=r"RTX 3050 has compute capability 8\.6, FP8 needs 8\.9"):
        pack_fp8(_weight(), torch.device("cuda"))
