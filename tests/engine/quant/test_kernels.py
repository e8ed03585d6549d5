"""Which linear map is built for which types, kernels and devices."""

from __future__ import annotations

import pytest
import torch

from yue2_desktop.engine.model.linear import DenseLinear
from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, PackedBlocks
from yue2_desktop.engine.quant.dequant import DequantisedLinear
from yue2_desktop.engine.quant.fp8 import Fp8Linear
from yue2_desktop.engine.quant.fp16packed import PackedFp16Linear
from yue2_desktop.engine.quant.int4 import Int4Linear
from yue2_desktop.engine.quant.kernels import Kernel, decode_kernel, linear_map, rows_kernel
from yue2_desktop.engine.quant.probe import TOLERANCE, example_blocks, probe
from yue2_desktop.engine.quant.stacked import StackedLinear
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import W8A8Linear, has_fbgemm
from yue2_desktop.song.errors import Problem

CPU = torch.device("cpu")
BF16 = torch.bfloat16
NEEDS_FBGEMM = pytest.mark.skipif(not has_fbgemm(), reason="torch without fbgemm")


def _blocks(name: str, rows: int = 64, seed: int = 1) -> PackedBlocks:
    return example_blocks(BLOCK_TYPES[name], rows, 256, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("name", sorted(BLOCK_TYPES))
@pytest.mark.parametrize("kernel", list(Kernel))
@NEEDS_FBGEMM
def test_every_kernel_takes_every_type(name: str, kernel: Kernel) -> None:
    """One row and many, at the kernel's stated tolerance."""
    verdict = probe(kernel, name, CPU)
    assert verdict.accepted, verdict
    assert verdict.error is not None
    assert 0 < verdict.error <= TOLERANCE[kernel]


@pytest.mark.parametrize(
    ("kernel", "kind"),
    [
        (Kernel.DENSE, DenseLinear),
        (Kernel.INT4, Int4Linear),
        (Kernel.DEQUANTISE, DequantisedLinear),
        (Kernel.FP8, Fp8Linear),
        pytest.param(Kernel.W8A8, W8A8Linear, marks=NEEDS_FBGEMM),
        pytest.param(Kernel.PACKED_FP16, PackedFp16Linear, marks=NEEDS_FBGEMM),
    ],
)
def test_a_kernel_that_is_asked_for(kernel: Kernel, kind: type) -> None:
    linear = linear_map((_blocks("Q8_0"), _blocks("Q8_0", 32)), kernel, BF16, CPU)
    assert isinstance(linear, kind)
    assert linear.out_features == 96
    assert linear.nbytes > 0


@pytest.mark.parametrize("name", ["F32", "F16", "BF16"])
def test_dense_types_are_dense_unless_told_otherwise(name: str) -> None:
    blocks = _blocks(name)
    linear = linear_map((blocks, _blocks("BF16", 8)), None, BF16, CPU)
    assert isinstance(linear, DenseLinear)
    assert torch.equal(linear.weight[:64], dequantise(blocks).bfloat16())


def test_by_type_a_device_may_know_better() -> None:
    """On a card whose int4 kernel failed its probe the blocks are unpacked as they are used."""
    asked = []

    def accept(kernel: Kernel, type_name: str) -> Kernel:
        asked.append((kernel, type_name))
        return Kernel.DEQUANTISE if kernel is Kernel.INT4 else kernel

    linear = linear_map((_blocks("Q4_K"), _blocks("Q6_K", 32, 3)), None, BF16, CPU, accept)
    assert [name for _, name in asked] == ["Q4_K", "Q6_K"]
    assert isinstance(linear, StackedLinear)
    assert isinstance(linear.parts[0], DequantisedLinear)
    # What was asked for by name was judged by whoever asked.
    assert isinstance(linear_map((_blocks("Q4_K"),), Kernel.INT4, BF16, CPU, accept), Int4Linear)
    assert len(asked) == 2


def test_unlike_types_stay_apart_and_their_outputs_are_joined() -> None:
    """As in published Q4_K_M files: q and k in Q4_K, v in Q6_K."""
    parts = (_blocks("Q4_K"), _blocks("Q4_K", 32, 2), _blocks("Q6_K", 32, 3))
    linear = linear_map(parts, None, BF16, CPU)
    assert isinstance(linear, StackedLinear)
    assert [part.out_features for part in linear.parts] == [96, 32]
    assert linear.out_features == 128
    assert linear.nbytes == sum(part.nbytes for part in linear.parts)
    x = torch.randn(2, 256, generator=torch.Generator().manual_seed(1)).bfloat16()
    wanted = torch.cat([x.double() @ dequantise(part).double().T for part in parts], dim=1)
    assert float((linear(x).double() - wanted).norm() / wanted.norm()) <= 1e-2


def test_what_each_type_is_decoded_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yue2_desktop.engine.quant.kernels.has_fbgemm", lambda: True)
    cuda = torch.device("cuda")
    assert decode_kernel("BF16", dense=True, device=CPU) is Kernel.DENSE
    for name in ("Q8_0", "Q5_K", "Q5_0", "Q4_K", "Q4_0"):
        assert decode_kernel(name, dense=False, device=CPU) is Kernel.INT4
        assert decode_kernel(name, dense=False, device=cuda) is Kernel.INT4
    assert decode_kernel("Q6_K", dense=False, device=CPU) is Kernel.PACKED_FP16
    assert decode_kernel("Q6_K", dense=False, device=cuda) is Kernel.INT4
    monkeypatch.setattr("yue2_desktop.engine.quant.kernels.has_fbgemm", lambda: False)
    assert decode_kernel("Q6_K", dense=False, device=CPU) is Kernel.INT4
    assert rows_kernel(dense=True) is Kernel.DENSE
    assert rows_kernel(dense=False) is Kernel.DEQUANTISE


@NEEDS_FBGEMM
def test_a_tall_matrix_in_packed_float16_is_packed_in_parts() -> None:
    blocks = example_blocks(BLOCK_TYPES["BF16"], 32_768 + 8, 32, torch.Generator().manual_seed(1))
    linear = linear_map((blocks,), Kernel.PACKED_FP16, BF16, CPU)
    assert isinstance(linear, StackedLinear)
    assert linear.out_features == 32_776
    x = torch.randn(1, 32, generator=torch.Generator().manual_seed(1))
    wanted = x.double() @ dequantise(blocks).double().T
    assert float((linear(x).double() - wanted).norm() / wanted.norm()) <= 1e-6


@pytest.mark.parametrize("kernel", [Kernel.W8A8, Kernel.PACKED_FP16])
def test_processor_kernels_are_refused_elsewhere(kernel: Kernel) -> None:
    with pytest.raises(Problem, match=f"'{kernel}' weights are for the processor, not for 'cuda'"):
        linear_map((_blocks("Q8_0"),), kernel, BF16, torch.device("cuda"))


def test_a_probe_turns_down_what_differs_and_what_fails() -> None:
    def wrong(*_: object) -> object:
        return lambda x: torch.zeros(len(x), 256)

    def not_a_number(*_: object) -> object:
        return lambda x: torch.full((len(x), 256), float("nan"))

    def failing(*_: object) -> object:
        raise RuntimeError("no such kernel\nand a long trace")

    verdict = probe(Kernel.INT4, "Q8_0", CPU, wrong)  # type: ignore[arg-type]
    assert not verdict.accepted
    assert verdict.error == pytest.approx(1)
    assert "is allowed" in verdict.reason
    assert not probe(Kernel.INT4, "Q8_0", CPU, not_a_number).accepted  # type: ignore[arg-type]
    verdict = probe(Kernel.INT4, "Q8_0", CPU, failing)  # type: ignore[arg-type]
    assert (verdict.accepted, verdict.error, verdict.reason) == (False, None, "no such kernel")


def test_a_probe_finds_what_is_no_number_for_many_rows_only() -> None:
    def late(parts: tuple[PackedBlocks, ...], *_: object) -> object:
        weight = dequantise(parts[0])
        return lambda x: x.float() @ weight.T if len(x) == 1 else torch.full((len(x), len(weight)), float("nan"))

    verdict = probe(Kernel.INT4, "Q8_0", CPU, late)  # type: ignore[arg-type]
    assert (verdict.accepted, str(verdict.error)) == (False, "nan")


def test_a_probe_without_memory_says_nothing_of_the_kernel() -> None:
    def full(*_: object) -> object:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 96.00 MiB.")

    with pytest.raises(torch.OutOfMemoryError):
        probe(Kernel.INT4, "Q8_0", CPU, full)  # type: ignore[arg-type]
