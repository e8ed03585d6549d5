"""Reading tensors of GGUF files: dense values, blocks, rows, restored shapes, and what lies within packed files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch

from yue2_desktop.engine.quant.blocks import Q8_0
from yue2_desktop.engine.quant.unpacking import dequantise
from yue2_desktop.engine.weights.gguf_embedded import embedded_files
from yue2_desktop.engine.weights.gguf_header import read_gguf_header
from yue2_desktop.engine.weights.gguf_layouts import GgufLayout
from yue2_desktop.engine.weights.gguf_source import GgufSource
from yue2_desktop.engine.weights.source import BlockSource, DirectSource, block_rows
from yue2_desktop.song.errors import Problem, ProblemKind

WEIGHT = np.random.default_rng(1).normal(size=(6, 64)).astype(np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "yue2")
    writer.add_tensor("q8", gguf.quants.quantize(WEIGHT, gguf.GGMLQuantizationType.Q8_0),
                      raw_dtype=gguf.GGMLQuantizationType.Q8_0)  # fmt: skip
    writer.add_tensor("half", WEIGHT.astype(np.float16))
    writer.add_tensor("line", WEIGHT[0])
    writer.add_tensor("taps", WEIGHT[:, :21].reshape(6, 3, 7).astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "x.gguf"


def _source(path: Path, shapes: dict[str, tuple[int, ...]] | None = None) -> GgufSource:
    header = read_gguf_header(path)
    return GgufSource([(header, GgufLayout("A", frozenset(), {name: name for name in header.tensors}))], shapes=shapes)


def test_whole_tensors_and_rows(path: Path) -> None:
    source = _source(path)
    assert isinstance(source, BlockSource)
    assert isinstance(source, DirectSource)
    assert source.files == (path,)
    assert source.where == str(path)
    wanted = gguf.quants.dequantize(gguf.quants.quantize(WEIGHT, gguf.GGMLQuantizationType.Q8_0),
                                    gguf.GGMLQuantizationType.Q8_0)  # fmt: skip
    assert np.array_equal(source.read("q8").numpy(), wanted)
    assert np.array_equal(source.read_rows("q8", 2, 5).numpy(), wanted[2:5])
    half = source.read("half")
    assert half.dtype == torch.float16
    assert torch.equal(source.read_rows("half", 1, 3), half[1:3])
    assert np.array_equal(source.read("line").numpy(), WEIGHT[0])
    assert np.array_equal(source.read_rows("line", 10, 20).numpy(), WEIGHT[0, 10:20])
    assert source.read("taps").shape == (6, 3, 7)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["q8", "half"])
def test_rows_into_memory_of_any_dtype(path: Path, name: str, dtype: torch.dtype) -> None:
    source = _source(path)
    out = torch.zeros(8, 64, dtype=dtype)
    source.read_rows_into(name, 1, out[2:5])
    assert torch.equal(out[2:5], source.read(name)[1:4].to(dtype))
    assert not out[[0, 1, 5, 6, 7]].any()


def test_blocks_as_they_lie(path: Path) -> None:
    source = _source(path)
    assert source.block_type("q8") is Q8_0
    blocks = block_rows(source, "q8", 1, 4)
    assert (blocks.type, blocks.rows, blocks.columns, blocks.nbytes) == (Q8_0, 3, 64, 3 * 68)
    assert torch.equal(dequantise(blocks), source.read("q8")[1:4])


def test_sides_of_one_are_restored_and_others_are_not(path: Path) -> None:
    source = _source(path, {"line": (64, 1, 1), "half": (1, 6, 64), "taps": (3, 6, 7)})
    assert source.read("line").shape == (64, 1, 1)
    assert source.read("half").shape == (1, 6, 64)
    assert source.shape("taps") == (6, 3, 7)


def test_a_file_that_was_cut_since_it_was_opened(path: Path) -> None:
    source = _source(path)
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size - 200)
    with pytest.raises(Problem, match=r"Tensor 'taps' of .* cannot be read \(the file ends before it\)") as caught:
        source.read("taps")
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED
    path.unlink()
    with pytest.raises(Problem, match="cannot be read"):
        source.read("q8")


@pytest.fixture
def packed(tmp_path: Path) -> Callable[[list[int], bytes], Path]:
    def made(offsets: list[int], data: bytes) -> Path:
        writer = gguf.GGUFWriter(tmp_path / "packed.gguf", "audiocpp")
        writer.add_array("audiocpp.embedded_files.names", ["a.json", "b.tiktoken"])
        writer.add_array("audiocpp.embedded_files.offsets", offsets)
        writer.add_array("audiocpp.embedded_files.data", data)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        return tmp_path / "packed.gguf"

    return made


@pytest.mark.parametrize("offsets", [[0, 3], [0, 3, 7]])
def test_files_within_a_file(packed: Callable[[list[int], bytes], Path], offsets: list[int]) -> None:
    found = embedded_files(read_gguf_header(packed(offsets, b"{} rank")))
    assert found == {"a.json": b"{} ", "b.tiktoken": b"rank"}


@pytest.mark.parametrize("offsets", [[0], [3, 0], [0, 99]])
def test_places_that_make_no_sense(packed: Callable[[list[int], bytes], Path], offsets: list[int]) -> None:
    with pytest.raises(Problem, match="the places of its embedded files make no sense"):
        embedded_files(read_gguf_header(packed(offsets, b"{} rank")))


def test_most_files_have_nothing_within(path: Path) -> None:
    assert embedded_files(read_gguf_header(path)) == {}
