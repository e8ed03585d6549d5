"""Packed float16: the checkpoint's own weights where float16 holds them, and a plain word where it does not."""

from __future__ import annotations

import pytest
import torch

from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, from_dense
from yue2_desktop.engine.quant.fp16packed import pack_fp16
from yue2_desktop.engine.quant.probe import example_blocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import has_fbgemm
from yue2_desktop.song.errors import Problem, ProblemKind

pytestmark = pytest.mark.skipif(not has_fbgemm(), reason="torch without fbgemm")


def _weight(rows: int = 80, columns: int = 256) -> torch.Tensor:
    return (torch.randn(rows, columns, generator=torch.Generator().manual_seed(5)) * 0.02).bfloat16()


@pytest.mark.parametrize("rows", [1, 5, 40])
def test_bf16_weights_lose_nothing(rows: int) -> None:
    """fp32 in and out: only the order of the sums is left (1e-6)."""
    weight = _weight()
    linear = pack_fp16(from_dense(weight))
    x = torch.randn(rows, 256, generator=torch.Generator().manual_seed(rows))
    wanted = x.double() @ weight.double().T
    assert float((linear(x).double() - wanted).norm() / wanted.norm()) <= 1e-6


@pytest.mark.parametrize("rows", [1, 16, 17, 40])
def test_bf16_rows(rows: int) -> None:
    """Few rows are summed in float32, many go through a bf16 product; the result is rounded once (2^-9)."""
    weight = _weight()
    x = torch.randn(rows, 256, generator=torch.Generator().manual_seed(rows)).bfloat16()
    found = pack_fp16(from_dense(weight))(x)
    assert found.dtype == torch.bfloat16
    wanted = x.double() @ weight.double().T
    assert float((found.double() - wanted).norm() / wanted.norm()) <= 3e-3


def test_weights_below_the_normal_range_are_counted() -> None:
    weight = _weight().clamp_min(0.001)
    assert pack_fp16(from_dense(weight)).inexact == 0
    weight[0, 0] = 2.0**-16 * 1.0078125  # 2^-23 is its last bit: still held
    weight[0, 1] = 2.0**-18 * 1.0078125  # 2^-25 is not
    weight[0, 2] = 2.0**-30
    linear = pack_fp16(from_dense(weight))
    assert linear.inexact == 2
    unit = torch.zeros(3, 256)
    unit[range(3), range(3)] = 1
    assert float((linear(unit)[:, 0] - weight[0, :3].float()).abs().max()) <= 2.0**-25


def test_values_of_blocks_are_rounded_to_11_bits() -> None:
    blocks = example_blocks(BLOCK_TYPES["Q6_K"], 80, 256, torch.Generator().manual_seed(2))
    linear = pack_fp16(blocks)
    assert linear.inexact > 0
    x = torch.randn(1, 256, generator=torch.Generator().manual_seed(1))
    wanted = x.double() @ dequantise(blocks).double().T
    assert float((linear(x).double() - wanted).norm() / wanted.norm()) <= 2.0**-11


@pytest.mark.parametrize("value", [70_000.0, float("inf"), float("nan")])
def test_weights_beyond_the_range_are_refused(value: float) -> None:
    weight = _weight()
    weight[3, 4] = value
    with pytest.raises(Problem, match=r"too large for packed float16.*Use --ar-precision bf16") as caught:
        pack_fp16(from_dense(weight))
    assert caught.value.kind is ProblemKind.UNSUPPORTED


def test_bytes() -> None:
    assert pack_fp16(from_dense(_weight())).nbytes == 2 * 80 * 256
