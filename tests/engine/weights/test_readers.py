"""Readers of quantised files: what is packed for decoding, what stays in blocks, and buffers that are filled again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from yue2_desktop.engine.model.head import ABC_VOCABULARY, SEMANTIC_VOCABULARY
from yue2_desktop.engine.model.layer import LayerWeights
from yue2_desktop.engine.model.linear import DenseLinear
from yue2_desktop.engine.quant.dequant import DequantisedLinear
from yue2_desktop.engine.quant.fp8 import Fp8Linear
from yue2_desktop.engine.quant.int4 import Int4Linear
from yue2_desktop.engine.quant.kernels import Kernel
from yue2_desktop.engine.quant.stacked import StackedLinear
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.quant.w8a8 import W8A8Linear, has_fbgemm
from yue2_desktop.engine.weights.block_reader import BlockReader
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.layout import LM_HEAD, Branch, layer_names
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.packed_reader import PackedReader
from yue2_desktop.engine.weights.source import BlockSource
from yue2_desktop.engine.weights.stored_readers import stored_readers

Opened = Callable[[str], ModelFiles]
CPU = torch.device("cpu")
BF16 = torch.bfloat16


def _block_reader(model: ModelFiles) -> BlockReader:
    assert isinstance(model.source, BlockSource)
    return BlockReader(model.source, model.config, BF16, CPU)


def _memory(layer: LayerWeights) -> set[int]:
    places = {tensor.data_ptr() for tensor in (layer.input_norm, layer.mlp_norm, layer.q_norm, layer.k_norm)}
    for linear in (layer.qkv, layer.o, layer.gate_up, layer.down):
        for part in linear.parts if isinstance(linear, StackedLinear) else (linear,):
            assert isinstance(part, DequantisedLinear | DenseLinear)
            places.add((part.blocks.data if isinstance(part, DequantisedLinear) else part.weight).data_ptr())
    return places


def _values(layer: LayerWeights, columns: dict[str, int]) -> list[torch.Tensor]:
    """What each linear map multiplies with: its products with the unit vectors."""
    linears = {"qkv": layer.qkv, "o": layer.o, "gate_up": layer.gate_up, "down": layer.down}
    units = {name: torch.eye(width, dtype=BF16) for name, width in columns.items()}
    return [linear(units[name]) for name, linear in linears.items()]


@pytest.mark.parametrize("branch", list(Branch))
@pytest.mark.parametrize("layout", ["D", "D-Q5_K", "A-Q8_0", "C"])
def test_a_buffer_is_filled_again(layout: str, branch: Branch, opened: Opened) -> None:
    """Layer after layer through one buffer gives the values of fresh layers, in the same memory if types allow it."""
    reader = _block_reader(opened(layout))
    columns = {"qkv": 128, "o": 128, "gate_up": 128, "down": 256}
    buffer = reader.refill(branch, 0, None)
    for index in (1, 2, 0):
        before = _memory(buffer)
        buffer = reader.refill(branch, index, buffer)
        fresh = reader.layer(branch, index)
        assert buffer.nbytes == fresh.nbytes
        assert torch.equal(buffer.mlp_norm, fresh.mlp_norm)
        for found, wanted in zip(_values(buffer, columns), _values(fresh, columns), strict=True):
            assert torch.equal(found, wanted)
        if layout != "D-Q5_K":  # there the types change from layer to layer
            assert _memory(buffer) == before


def test_neighbours_of_one_type_are_one_matrix(opened: Opened) -> None:
    layer = _block_reader(opened("D")).layer(Branch.AR, 1)
    assert isinstance(layer.qkv, StackedLinear)
    assert [part.out_features for part in layer.qkv.parts] == [192, 64]  # q and k in Q4_0, v in Q5_0
    assert isinstance(layer.gate_up, DequantisedLinear)
    source = opened("D").source
    names = layer_names(Branch.AR, 1)
    assert torch.equal(dequantise(layer.gate_up.blocks), torch.cat([source.read(names.gate), source.read(names.up)]))


@pytest.mark.parametrize("vocabulary", [ABC_VOCABULARY, SEMANTIC_VOCABULARY])
def test_a_head_has_the_rows_of_its_phase(vocabulary: object, opened: Opened) -> None:
    model = opened("B-packed")
    reader = PackedReader(model.source, model.config, BF16, CPU)
    head = reader.head(vocabulary)  # type: ignore[arg-type]
    pieces = head.rows.parts if isinstance(head.rows, StackedLinear) else (head.rows,)
    assert all(isinstance(piece, Int4Linear) for piece in pieces)
    assert len(pieces) == -(-head.vocabulary.size // 40_960)  # read some at a time; the semantic rows at once
    assert head.rows.out_features == head.vocabulary.size
    x = torch.randn(1, 128, generator=torch.Generator().manual_seed(1)).bfloat16()
    logits = head(x)[0]
    for place in (0, 1000, 40_959 % head.vocabulary.size, 40_960 % head.vocabulary.size, head.vocabulary.size - 1):
        token = head.vocabulary.id_at(place)
        wanted = float(x[0].double() @ model.source.read_rows(LM_HEAD, token, token + 1)[0].double())
        assert float(logits[place]) == pytest.approx(wanted, rel=2e-2, abs=2e-2)


def test_embedding_rows_are_the_files_values(opened: Opened) -> None:
    model = opened("A-Q8_0")
    reader = PackedReader(model.source, model.config, torch.float32, CPU)
    ids = [7, 184_620, 7, 0]
    found = reader.embedded(ids)
    for row, token in zip(found, ids, strict=True):
        assert torch.equal(row, model.source.read_rows("model.embed_tokens.weight", token, token + 1)[0])


def test_who_reads_what(opened: Opened, model_files: ModelFiles) -> None:
    """Mode gguf: tokens packed, the acoustic stage in blocks; a checkpoint has one dense reader for all."""
    readers = stored_readers(opened("D"), BF16, CPU)
    assert isinstance(readers.tokens, PackedReader)
    assert isinstance(readers.prefill, BlockReader)
    assert readers.prefill is readers.flow
    dense = stored_readers(model_files, BF16, CPU)
    assert dense.tokens is dense.prefill is dense.flow
    assert type(dense.tokens) is WeightReader
    packed = stored_readers(model_files, BF16, CPU, kernel=Kernel.FP8)
    assert isinstance(packed.tokens.layer(Branch.AR, 0).qkv, Fp8Linear)
    assert isinstance(packed.tokens.head(SEMANTIC_VOCABULARY).rows, DenseLinear)
    assert type(packed.flow) is WeightReader


@pytest.mark.skipif(not has_fbgemm(), reason="torch without fbgemm")
def test_a_checkpoint_is_packed_as_it_is_read(model_files: ModelFiles) -> None:
    readers = stored_readers(model_files, torch.float32, CPU, kernel=Kernel.W8A8)
    layer, plain = readers.tokens.layer(Branch.AR, 2), readers.flow.layer(Branch.AR, 2)
    assert isinstance(layer.down, W8A8Linear)
    x = torch.randn(1, 256, generator=torch.Generator().manual_seed(1))
    wanted = plain.down(x)
    assert float((layer.down(x) - wanted).norm() / wanted.norm()) <= 2e-2  # 8-bit weights and activations
