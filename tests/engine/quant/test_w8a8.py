"""W8A8 against float64: the weights' rounding, and that of the activations."""

from __future__ import annotations

import pytest
import torch

from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, from_dense
from yue2_desktop.engine.quant.probe import example_blocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import fbgemm_engine, has_fbgemm, pack_w8a8, row_codes
from yue2_desktop.song.errors import Problem

pytestmark = pytest.mark.skipif(not has_fbgemm(), reason="torch without fbgemm")


def _weight(rows: int = 96, columns: int = 512) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(5)) * 0.02


def test_rows_are_rounded_to_127_steps() -> None:
    """Half a step at most; 8.3e-3 for normal weights (memory-and-speed, section 5, numerics of formats)."""
    weight = _weight()
    codes, scales = row_codes(weight)
    restored = codes.float() * scales[:, None]
    assert float(((restored - weight).abs() / scales[:, None]).max()) <= 0.5 + 1e-4
    assert float((restored - weight).norm() / weight.norm()) <= 1e-2
    assert codes.abs().amax(1).eq(127).all()


def test_a_row_of_zeros_stays_zero() -> None:
    weight = _weight()
    weight[7] = 0
    codes, scales = row_codes(weight)
    assert not codes[7].any()
    assert scales[7] == 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rows", [1, 4, 40])
@pytest.mark.parametrize("reduce_range", [False, True])
def test_products(rows: int, dtype: torch.dtype, reduce_range: bool) -> None:
    """8-bit activations of a normal row err by about 1e-2 of the result, 7-bit ones by twice that."""
    blocks = example_blocks(BLOCK_TYPES["Q8_0"], 96, 512, torch.Generator().manual_seed(2))
    linear = pack_w8a8(blocks, reduce_range=reduce_range)
    x = torch.randn(rows, 512, generator=torch.Generator().manual_seed(rows)).to(dtype)
    found = linear(x)
    assert found.dtype == dtype
    assert found.shape == (rows, 96)
    wanted = x.double() @ dequantise(blocks).double().T
    assert float((found.double() - wanted).norm() / wanted.norm()) <= (3e-2 if reduce_range else 1.6e-2)


def test_a_tall_matrix_is_rounded_in_parts() -> None:
    weight = _weight(8200, 32)
    x = torch.randn(1, 32, generator=torch.Generator().manual_seed(1))
    wanted = x.double() @ weight.double().T
    assert float((pack_w8a8(from_dense(weight))(x).double() - wanted).norm() / wanted.norm()) <= 2e-2


def test_bytes_and_shape() -> None:
    linear = pack_w8a8(from_dense(_weight()))
    assert linear.out_features == 96
    assert 96 * 512 <= linear.nbytes <= 96 * 512 * 1.05


def test_packing_leaves_the_processs_engine_alone() -> None:
    before = torch.backends.quantized.engine
    with fbgemm_engine():
        assert torch.backends.quantized.engine == "fbgemm"
    assert torch.backends.quantized.engine == before


def test_without_fbgemm_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yue2_desktop.engine.quant.w8a8.has_fbgemm", lambda: False)
    with pytest.raises(Problem, match="no fbgemm, which W8A8 weights need"):
        pack_w8a8(from_dense(_weight()))
