"""int4 products against float64 with the values of the blocks, type by type."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, PackedBlocks, from_dense
from yue2_desktop.engine.quant.int4 import pack_int4
from yue2_desktop.engine.quant.int4_codes import GROUP, is_exact, plane_count, planes
from yue2_desktop.engine.quant.int4_kernels import ROW_TILE, cpu_kernel, int4_kernel
from yue2_desktop.engine.quant.probe import example_blocks
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.song.errors import Problem, ProblemKind

CPU = torch.device("cpu")
EXACT = ["Q8_0", "Q5_K", "Q5_1", "Q5_0", "Q4_K", "Q4_1", "Q4_0"]
REQUANTISED = ["Q6_K", "Q3_K", "Q2_K", "BF16"]


def _blocks(name: str, rows: int = 200, columns: int = 512) -> PackedBlocks:
    return example_blocks(BLOCK_TYPES[name], rows, columns, torch.Generator().manual_seed(1))


def _error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.double() - wanted).norm() / wanted.norm())


@pytest.mark.parametrize("name", EXACT)
def test_codes_are_carried_over_and_only_scales_are_rounded(name: str) -> None:
    """With scale and offset restored to what the file has, the planes give its very values."""
    assert is_exact(name)
    blocks = _blocks(name)
    exact = dequantise(blocks)
    found = planes(blocks)
    assert len(found) == plane_count(name)
    total = sum((plane.dense() for plane in found), torch.zeros(()))
    # 2^-9 for the scale times the code, and for an offset (Q4_1, Q5_1, the K-quants) once more as much.
    span = exact.abs().view(len(exact), -1, GROUP).amax(-1, keepdim=True).clamp_min(1e-9)
    difference = (total - exact).abs().view(len(exact), -1, GROUP)
    assert float((difference / span).max()) <= (2 if name in {"Q8_0", "Q5_0", "Q4_0"} else 4) * 2.0**-9
    # Nothing but one factor a group differs: codes are equal.
    if name in {"Q8_0", "Q5_0", "Q4_0"}:
        ratio = (total / exact).view(len(exact), -1, GROUP)
        spread = (ratio.nan_to_num(1.0, posinf=1.0) - 1).abs().amax(-1)
        assert float(spread.max()) <= 2.0**-8
        for group in ratio[0]:
            known = group[group.isfinite()]
            assert float(known.max() - known.min()) <= 1e-6


@pytest.mark.parametrize(("name", "limit"), [(name, 2.5e-3) for name in EXACT] + [(name, 6e-3) for name in REQUANTISED])
def test_weights_in_the_kernel(name: str, limit: float) -> None:
    """Exact types keep bf16's error (1.7e-3; 2.4e-3 where an offset is rounded too), the others add that of Q8_0."""
    blocks = _blocks(name)
    linear = pack_int4(blocks, CPU)
    exact = dequantise(blocks).double()
    assert _error(linear.dense(0, 200), exact) <= limit
    assert torch.equal(linear.dense(64, 200), linear.dense(0, 200)[64:])
    assert is_exact(name) == (name in EXACT)


@pytest.mark.parametrize("rows", [1, 3, 16, 17, 40])
@pytest.mark.parametrize("name", ["Q8_0", "Q4_0", "Q4_K", "Q6_K"])
def test_products_of_few_and_many_rows(name: str, rows: int) -> None:
    """Against float64 with the packed weights: what is left is bf16 rounding of results, once a plane (2^-9 each)."""
    linear = pack_int4(_blocks(name), CPU)
    x = torch.randn(rows, 512, generator=torch.Generator().manual_seed(rows)).bfloat16()
    found = linear(x)
    assert found.dtype == torch.bfloat16
    assert found.shape == (rows, 200)
    assert _error(found, x.double() @ linear.dense(0, 200).double().T) <= 4e-3


def test_many_rows_of_a_tall_matrix_are_made_dense_in_parts() -> None:
    linear = pack_int4(_blocks("Q8_0", rows=2100, columns=64), CPU)
    x = torch.randn(20, 64, generator=torch.Generator().manual_seed(0))
    # fp32 in, fp32 out: no rounding but that of the sums.
    assert _error(linear(x), x.double() @ linear.dense(0, 2100).double().T) <= 1e-6


def test_a_packing_that_is_not_known_leaves_many_rows_to_the_kernel() -> None:
    linear = pack_int4(_blocks("Q8_0"), CPU)
    opaque = replace(linear, kernel=replace(linear.kernel, unpack=None))
    x = torch.randn(40, 512, generator=torch.Generator().manual_seed(0)).bfloat16()
    assert _error(opaque(x), linear(x).double()) <= 6e-3  # two bf16 roundings on either side
    with pytest.raises(ValueError, match="packing is not known"):
        opaque.dense(0, 64)


def test_a_tall_matrix_is_packed_in_parts() -> None:
    blocks = _blocks("Q8_0", rows=8192 + 70, columns=32)
    linear = pack_int4(blocks, CPU)
    assert (linear.out_features, linear.padded) == (8262, 8320)
    x = torch.randn(1, 32, generator=torch.Generator().manual_seed(0)).bfloat16()
    assert _error(linear(x), x.double() @ dequantise(blocks).double().T) <= 6e-3


def test_bytes() -> None:
    """5 bits a weight for a plane: 4 of the code, scale and zero of 16 bits for 32."""
    assert pack_int4(_blocks("Q4_0", rows=128), CPU).nbytes == 128 * 512 * 5 // 8
    assert pack_int4(_blocks("Q8_0", rows=128), CPU).nbytes == 128 * 512 * 10 // 8


def test_zeros_stay_zeros() -> None:
    linear = pack_int4(from_dense(torch.zeros(70, 64, dtype=torch.bfloat16)), CPU)
    assert not linear(torch.ones(1, 64, dtype=torch.bfloat16)).any()


def test_the_packing_of_this_processor_is_known_and_inverted() -> None:
    kernel = cpu_kernel()
    assert kernel.unpack is not None
    codes = torch.randint(0, 16, (3 * ROW_TILE, 64), dtype=torch.uint8, generator=torch.Generator().manual_seed(3))
    assert torch.equal(kernel.unpack(kernel.pack(codes), 64), codes)


def test_what_has_no_kernel_is_refused_with_a_cure() -> None:
    with pytest.raises(Problem, match="takes multiples of 32") as caught:
        int4_kernel(CPU, 48)
    assert caught.value.kind is ProblemKind.UNSUPPORTED
    with pytest.raises(Problem, match=r"no int4 kernel for 'mps'\. Use --device cpu"):
        int4_kernel(torch.device("mps"), 64)


def test_old_cards_are_refused_by_capability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (7, 5))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "RTX 2060")
    with pytest.raises(Problem, match=r"RTX 2060 has compute capability 7\.5, the int4 kernels need 8\.0"):
        int4_kernel(torch.device("cuda"), 128)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (8, 6))
    with pytest.raises(Problem, match="takes multiples of 128"):
        int4_kernel(torch.device("cuda"), 64)
    assert int4_kernel(torch.device("cuda"), 128).unpack is None
