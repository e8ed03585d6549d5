"""Blocks unpacked by torch against gguf-py, which follows ggml's C code."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
import torch

from yue2_desktop.engine.quant.blocks import BLOCK_TYPES, PackedBlocks, from_dense, under_one_another
from yue2_desktop.engine.quant.unpacking import UNPACK, dequantise


def random_blocks(name: str, rows: int, columns: int, seed: int = 0) -> PackedBlocks:
    """Random bytes, which reach every code and scale; only the float16 scales are kept to sizes of real weights."""
    kind = BLOCK_TYPES[name]
    rng = np.random.default_rng(seed)
    data = rng.integers(0, 256, (rows * columns // kind.elements, kind.nbytes), dtype=np.uint8)
    if kind.dense:
        values = torch.from_numpy(rng.normal(0, 0.02, (rows, columns)).astype(np.float32))
        dtype = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[name]
        return from_dense(values.to(dtype))
    for at in _SCALES[name]:
        scales = rng.uniform(-0.01, 0.01, len(data)).astype(np.float16)
        data[:, at : at + 2] = scales[:, None].view(np.uint8)
    return PackedBlocks(kind, torch.from_numpy(data).view(rows, -1), columns)


#: Where the float16 scales of a block lie.
_SCALES = {
    "Q8_0": (0,), "Q4_0": (0,), "Q5_0": (0,), "Q4_1": (0, 2), "Q5_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2),
    "Q6_K": (208,), "Q2_K": (80, 82), "Q3_K": (108,),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BLOCK_TYPES))
def test_every_type_is_what_gguf_py_gives(name: str) -> None:
    """Exact: the same float32 operations in the same order."""
    blocks = random_blocks(name, 24, 512)
    number = gguf.GGMLQuantizationType(blocks.type.number)
    assert number.name == name
    assert gguf.GGML_QUANT_SIZES[number] == (blocks.type.elements, blocks.type.nbytes)
    stored = blocks.data.numpy()
    wanted = gguf.quants.dequantize(stored.view(np.float32) if name == "F32" else stored, number)
    found = dequantise(blocks)
    assert found.dtype == torch.float32
    assert np.array_equal(found.numpy(), wanted)
    assert float(found.std()) > 1e-3  # something other than zeros was compared


@pytest.mark.parametrize("name", ["Q8_0", "Q4_K", "Q6_K"])
def test_many_rows_go_in_pieces_and_round_once(name: str) -> None:
    blocks = random_blocks(name, 5000, 512)
    assert torch.equal(dequantise(blocks, torch.bfloat16), dequantise(blocks).bfloat16())


def test_into_memory_that_is_there() -> None:
    blocks = random_blocks("Q8_0", 4, 64)
    whole = torch.zeros(6, 64)
    dequantise(blocks, out=whole[1:5])
    assert torch.equal(whole[1:5], dequantise(blocks))
    assert not whole[[0, 5]].any()


def test_the_table_is_whole() -> None:
    assert set(UNPACK) == {name for name, kind in BLOCK_TYPES.items() if not kind.dense}


def test_rows_can_be_cut_and_put_under_one_another() -> None:
    first, second = random_blocks("Q6_K", 3, 256), random_blocks("Q6_K", 5, 256, seed=1)
    both = under_one_another((first, second))
    assert torch.equal(dequantise(both), torch.cat([dequantise(first), dequantise(second)]))
    assert torch.equal(dequantise(both.part(2, 4)), dequantise(both)[2:4])
    assert both.nbytes == first.nbytes + second.nbytes


def test_unlike_parts_are_not_stacked() -> None:
    with pytest.raises(ValueError, match="one type and width"):
        under_one_another((random_blocks("Q8_0", 3, 256), random_blocks("Q6_K", 3, 256)))
    with pytest.raises(ValueError, match="one type and width"):
        under_one_another((random_blocks("Q8_0", 3, 256), random_blocks("Q8_0", 3, 512)))


def test_a_row_is_filled_by_blocks() -> None:
    assert BLOCK_TYPES["Q4_K"].row_bytes(512) == 288
    with pytest.raises(ValueError, match="no multiple of 256"):
        BLOCK_TYPES["Q4_K"].row_bytes(128)
