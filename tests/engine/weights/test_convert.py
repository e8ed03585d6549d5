"""Converting the checkpoint: what is in the file, as other readers see it; and what leaves no file behind."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

from yue2_desktop.engine.config import model_config
from yue2_desktop.engine.progress import CancelToken
from yue2_desktop.engine.quant.blocks import BF16, Q4_0, Q5_0, Q8_0
from yue2_desktop.engine.weights import convert as module
from yue2_desktop.engine.weights.convert import Conversion, convert
from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.gguf_folder import open_gguf, read_gguf_file
from yue2_desktop.engine.weights.gguf_header import read_gguf_header
from yue2_desktop.engine.weights.gguf_tokenizer import tokenizer_within
from yue2_desktop.engine.weights.gguf_vocabulary import merges, vocabulary_values
from yue2_desktop.engine.weights.source import MemorySource
from yue2_desktop.song.errors import Problem, ProblemKind

CASES = {"q8_0": (Q8_0, BF16), "q5_0": (Q5_0, Q8_0), "q4_0": (Q4_0, BF16)}


@pytest.fixture(autouse=True, scope="module")
def _tokens_once() -> Iterator[None]:
    """The tokenizer's list takes a second or two to make, and is the same in all files of this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "vocabulary_values", functools.cache(vocabulary_values))
        yield


def _nothing(done: int, total: int) -> None:
    """Progress that nobody watches."""


@pytest.fixture(scope="module")
def converted(model_files: ModelFiles, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("converted") / f"{name}.gguf"
            convert(model_files, made[name], Conversion(*CASES[name]), _nothing, CancelToken())
        return made[name]

    return make


@pytest.mark.parametrize("name", sorted(CASES))
def test_every_tensor_reads_as_gguf_py_dequantises_it(
    name: str, converted: Callable[[str], Path], model_files: ModelFiles
) -> None:
    """The bytes are those that gguf-py's own rounding makes, and what we read of them is what it reads."""
    opened = open_gguf(converted(name))
    assert opened.config == model_files.config
    header = read_gguf_file(converted(name)).header
    data = np.memmap(converted(name))
    ar, nar = CASES[name]
    for tensor in header.tensors.values():
        if len(tensor.shape) < 2:
            wanted_type = "F32"
        elif "embed_tokens" in tensor.name or "lm_head" in tensor.name:
            wanted_type = "Q8_0"
        elif "model.layers." not in tensor.name:
            wanted_type = "BF16"
        else:
            wanted_type = (nar if ".nar_" in tensor.name else ar).name
        assert tensor.type_name == wanted_type, tensor.name
        rows = min(tensor.shape[0], 700)  # of the vocabulary's matrices the first are enough
        kind = gguf.GGMLQuantizationType[tensor.type_name]
        stored = data[tensor.offset : tensor.offset + tensor.nbytes].reshape(tensor.shape[0], -1)[:rows]
        values = model_files.source.read_rows(tensor.name, 0, rows).float().numpy()
        if len(tensor.shape) == 1:
            assert np.array_equal(stored.view(np.float32).reshape(-1), values)
            continue
        assert np.array_equal(stored, gguf.quants.quantize(values, kind).view(np.uint8).reshape(rows, -1))
        read = opened.source.read_rows(tensor.name, 0, rows).float().numpy()
        assert np.array_equal(read, gguf.quants.dequantize(np.ascontiguousarray(stored), kind))


def test_another_reader_understands_the_file(
    small: Callable[..., ModelFiles], model_files: ModelFiles, tmp_path: Path
) -> None:
    model = replace(small(), files=model_files.files)
    convert(model, tmp_path / "x.gguf", Conversion(Q8_0, BF16), _nothing, CancelToken())
    reader = gguf.GGUFReader(tmp_path / "x.gguf")
    text = reader.fields["general.architecture"].contents()
    assert text == "yue2"
    assert reader.fields["general.file_type"].contents() == gguf.LlamaFileType.MOSTLY_Q8_0
    config = json.loads(reader.fields["yue2.config_json"].contents())
    assert config == json.loads((model_files.folder / "config.json").read_text(encoding="utf-8"))
    assert len(reader.tensors) == len(model_files.source.names()) - 1  # the position table is a formula
    assert all(tensor.data_offset % 32 == 0 for tensor in reader.tensors)
    assert reader.fields["tokenizer.ggml.tokens"].contents() == ["Ā", "<abc>"]
    stored = {tensor.name: tensor for tensor in reader.tensors}
    name = "model.layers.1.nar_mlp.down_proj.weight"
    found = gguf.quants.dequantize(stored[name].data, stored[name].tensor_type)
    assert np.array_equal(found, model_files.source.read(name).float().numpy())


def test_the_tokenizer_within_gives_the_same_ids(converted: Callable[[str], Path], model_files: ModelFiles) -> None:
    header = read_gguf_file(converted("q8_0")).header
    tokens = header.strings("tokenizer.ggml.tokens") or []
    assert len(tokens) == 151_851
    assert (tokens[0].decode(), tokens[32].decode(), tokens[151_643 + 204]) == ("Ā", "Ġ", b"<abc>")
    assert len(header.strings("tokenizer.ggml.merges") or []) == 304  # fillers arise from no merge
    tokenizer = tokenizer_within(header)
    text = "[Verse]\nDer Mond ist aufgegangen, 日本語 🎵\r\n"
    assert tokenizer.encode(text) == model_files.tokenizer.encode(text)


def test_merges_are_those_that_make_the_tokens() -> None:
    tokens = [b"a", b"b", b"c", b"ab", b"bc", b"abc", b"zz", b"abcab"]
    assert merges(tokens) == [(b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"z", b"z"), (b"abc", b"ab")]
    # Nothing earlier joins the parts of this one.
    assert merges([b"a", b"b", b"c", b"cab"]) == []


def test_progress_counts_writing_and_reading_back(small: Callable[..., ModelFiles], tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = tmp_path / "x.gguf"
    nbytes = convert(
        small(), path, Conversion(Q8_0, Q8_0), lambda done, total: seen.append((done, total)), CancelToken()
    )
    assert path.stat().st_size == nbytes
    assert {total for _, total in seen} == {2 * nbytes}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert any(done > nbytes for done, _ in seen)


def test_what_is_there_is_not_written_over(model_files: ModelFiles, tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(Problem, match="is there already") as caught:
        convert(model_files, path, Conversion(Q8_0, BF16), _nothing, CancelToken())
    assert caught.value.kind is ProblemKind.OUTPUT_EXISTS
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_rounded_file_is_not_rounded_again(converted: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"is Q4_0, Q8_0 already.*Convert from the BF16 checkpoint"):
        convert(open_gguf(converted("q4_0")), tmp_path / "x.gguf", Conversion(Q4_0, BF16), _nothing, CancelToken())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_seen_before_the_first_byte(
    model_files: ModelFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1_000_000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(Problem, match=r"will take 0\.1 GB, 0\.0 GB are free there") as caught:
        convert(model_files, tmp_path / "x.gguf", Conversion(Q8_0, BF16), _nothing, CancelToken())
    assert caught.value.kind is ProblemKind.DISK_FULL
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_conversion_leaves_nothing(small: Callable[..., ModelFiles], tmp_path: Path) -> None:
    cancel = CancelToken()
    with pytest.raises(Problem) as caught:
        convert(small(), tmp_path / "x.gguf", Conversion(Q8_0, BF16), lambda *_: cancel.cancel(), cancel)
    assert caught.value.kind is ProblemKind.CANCELLED
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small(model_files: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModelFiles]:
    """The model with 512 words, no tokens, in memory, with some tensors changed: it converts fast."""
    # gguf-py takes many seconds for a list of 151,851 tokens.
    monkeypatch.setattr(module, "vocabulary_values", lambda _: {"tokenizer.ggml.tokens": ["Ā", "<abc>"]})

    def made(**changed: torch.Tensor) -> ModelFiles:
        tensors = {name: model_files.source.read_rows(name, 0, min(512, model_files.source.shape(name)[0]))
                   for name in model_files.source.names()}  # fmt: skip
        tensors |= {name.replace("__", "."): value for name, value in changed.items()}
        config = replace(model_files.config, vocab_size=512)
        return replace(model_files, config=config, source=MemorySource(tensors, "memory"), files=())

    return made


@pytest.mark.parametrize(
    ("value", "words"),
    [(float("nan"), "holds values that are no numbers"), (float("inf"), "no numbers"), (1e9, "does not go into Q8_0")],
)
def test_weights_that_do_not_fit_a_format_are_refused(
    value: float, words: str, small: Callable[..., ModelFiles], tmp_path: Path
) -> None:
    weight = torch.zeros(128, 256)
    weight[5, 9] = value
    model = small(model__layers__1__mlp__down_proj__weight=weight)
    with pytest.raises(Problem, match=words) as caught:
        convert(model, tmp_path / "x.gguf", Conversion(Q8_0, BF16), _nothing, CancelToken())
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED
    assert caught.value.data["tensor"] == "model.layers.1.mlp.down_proj.weight"
    assert list(tmp_path.iterdir()) == []


def test_without_a_config_file_the_fields_are_written(small: Callable[..., ModelFiles], tmp_path: Path) -> None:
    model = small()
    convert(model, tmp_path / "x.gguf", Conversion(Q8_0, BF16), _nothing, CancelToken())
    text = read_gguf_header(tmp_path / "x.gguf").text("yue2.config_json")
    values = json.loads(text or "") | {"vocab_size": 184_704}
    assert replace(model_config(values, "here"), vocab_size=512) == model.config


def test_a_disk_that_does_not_keep_what_was_written(
    small: Callable[..., ModelFiles], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Any = module.read_gguf_header

    def tampering(path: Path) -> Any:
        header = real(path)
        with path.open("rb+") as file:
            file.seek(header.tensors["model.layers.2.mlp.up_proj.weight"].offset + 70)
            file.write(b"\x55\xaa\x55")
        return header

    monkeypatch.setattr(module, "read_gguf_header", tampering)
    with pytest.raises(Problem, match=r"'model\.layers\.2\.mlp\.up_proj\.weight' reads back differently"):
        convert(small(), tmp_path / "x.gguf", Conversion(Q8_0, BF16), _nothing, CancelToken())
    assert list(tmp_path.iterdir()) == []
