"""Blocks made by torch against gguf-py's, byte for byte."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
import torch

from yue2_desktop.engine.quant.blocks import BF16, F32, PackedBlocks
from yue2_desktop.engine.quant.packing import WRITABLE, error_bound, quantise
from yue2_desktop.engine.quant.unpacking import dequantise


def _weight(kind: str) -> torch.Tensor:
    generator = torch.Generator().manual_seed(3)
    weight = torch.randn(64, 256, generator=generator) * 0.02
    if kind == "bf16":
        return weight.bfloat16().float()
    if kind == "coarse":  # many exact halves of a step, and largest values of either sign in one block
        return torch.randint(-8, 9, (64, 256), generator=generator).float() / 16
    weight[3] = 0
    weight[5, 7] = 40.0
    weight[9] *= 1e-6  # the scale is below float16's normal range
    return weight


@pytest.mark.parametrize("weights", ["bf16", "coarse", "odd"])
@pytest.mark.parametrize("name", sorted(WRITABLE))
def test_bytes_are_those_of_gguf_py(name: str, weights: str) -> None:
    weight = _weight(weights)
    found = quantise(weight, WRITABLE[name])
    wanted = gguf.quants.quantize(weight.numpy(), gguf.GGMLQuantizationType[name.upper()])
    assert np.array_equal(found.data.numpy(), wanted)


@pytest.mark.parametrize("weights", ["bf16", "coarse", "odd"])
@pytest.mark.parametrize("name", sorted(WRITABLE))
def test_values_are_within_the_bound(name: str, weights: str) -> None:
    weight, kind = _weight(weights), WRITABLE[name]
    off = (dequantise(quantise(weight, kind)) - weight).abs().view(-1, 32)
    assert bool((off <= error_bound(weight, kind)).all())


def test_the_bound_is_not_met_by_other_weights() -> None:
    weight, kind = _weight("bf16"), WRITABLE["q8_0"]
    blocks = quantise(weight, kind)
    data = blocks.data.clone()
    data[11, 40] ^= 32  # one code of one block
    off = (dequantise(PackedBlocks(kind, data, blocks.columns)) - weight).abs().view(-1, 32)
    assert int((off > error_bound(weight, kind)).sum()) == 1


@pytest.mark.parametrize("kind", [F32, BF16])
def test_dense_types_are_a_plain_rounding(kind: object) -> None:
    weight = _weight("bf16")
    assert torch.equal(dequantise(quantise(weight, kind)), weight)  # type: ignore[arg-type]


def test_other_types_are_not_made() -> None:
    from yue2_desktop.engine.quant.blocks import Q6_K

    with pytest.raises(KeyError):
        quantise(_weight("bf16"), Q6_K)
