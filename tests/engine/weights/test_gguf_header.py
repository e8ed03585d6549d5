"""Headers of GGUF files: what gguf-py writes is read back, and damage is named, whatever its kind."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from yue2_desktop.engine.weights.gguf_header import GgufArray, is_gguf, read_gguf_header
from yue2_desktop.song.errors import Problem, ProblemKind

Write = Callable[..., Path]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A file with a value of each kind and three tensors."""
    writer = gguf.GGUFWriter(tmp_path / "small.gguf", "yue2")
    writer.add_string("text", "Ü 🎵")
    writer.add_uint32("count", 7)
    writer.add_int64("below", -5)
    writer.add_float32("third", 0.25)
    writer.add_bool("yes", True)
    writer.add_array("words", ["one", "two", "ΓΓ"])
    writer.add_array("numbers", [3, -4, 5])
    writer.add_tensor("a", np.arange(6, dtype=np.float32).reshape(2, 3))
    data = gguf.quants.quantize(np.ones((4, 64), np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("b", data, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("c", np.zeros((2, 3, 4), np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "small.gguf"


def test_values_and_tensors(small: Path) -> None:
    header = read_gguf_header(small)
    assert is_gguf(small)
    assert header.values["general.architecture"] == "yue2"
    assert header.text("text") == "Ü 🎵"
    assert header.text("count") is None
    assert (header.values["count"], header.values["below"], header.values["third"]) == (7, -5, 0.25)
    assert header.values["yes"] is True
    assert isinstance(header.values["words"], GgufArray)
    assert header.strings("words") == [b"one", b"two", "ΓΓ".encode()]
    assert header.numbers("numbers") == [3, -4, 5]
    assert header.strings("numbers") is None
    assert header.numbers("words") is None
    assert header.strings("nothing") is None
    stored = {tensor.name: tensor for tensor in gguf.GGUFReader(small).tensors}
    assert list(header.tensors) == ["a", "b", "c"]
    for name, tensor in header.tensors.items():
        assert tensor.offset == stored[name].data_offset
        assert tensor.nbytes == stored[name].n_bytes
        assert tensor.type_name == stored[name].tensor_type.name
    assert header.tensors["c"].shape == (2, 3, 4)
    assert header.tensors["b"].shape == (4, 64)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(keep=st.integers(0, 10_000))
def test_a_cut_file_is_damaged(small: Path, keep: int) -> None:
    whole = small.read_bytes()
    cut = small.with_name("cut.gguf")
    cut.write_bytes(whole[: keep % (len(whole) - 32)])  # the last bytes may be padding
    with pytest.raises(Problem) as caught:
        read_gguf_header(cut)
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED
    assert str(cut) in caught.value.sentence


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 500), value=st.binary(min_size=1, max_size=8))
def test_changed_bytes_are_damage_or_another_header_but_never_a_crash(small: Path, place: int, value: bytes) -> None:
    changed = bytearray(small.read_bytes())
    changed[place : place + len(value)] = value
    path = small.with_name("changed.gguf")
    path.write_bytes(changed)
    kinds = set()
    try:
        read_gguf_header(path)
    except Problem as problem:
        kinds.add(problem.kind)
    assert kinds <= {ProblemKind.MODEL_DAMAGED}


def _file(path: Path, *parts: bytes) -> Path:
    path.write_bytes(b"GGUF" + b"".join(parts))
    return path


def _text(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((struct.pack("<I", 1),), "is GGUF version 1"),
        ((struct.pack(">I", 3),), "big-endian"),
        ((struct.pack("<IQQ", 3, 1 << 40, 0),), "1,099,511,627,776 tensors"),
        ((struct.pack("<IQQ", 3, 0, 1 << 40),), "1,099,511,627,776 values"),
        ((struct.pack("<IQQ", 3, 0, 1), struct.pack("<Q", 1 << 50)), "a text of 1,125,899,906,842,624 bytes"),
        ((struct.pack("<IQQ", 3, 0, 1), _text(b"k"), struct.pack("<I", 77)), "unknown type 77"),
        ((struct.pack("<IQQ", 3, 0, 1), _text(b"k"), struct.pack("<IIQ", 9, 9, 2)), "list of unknown type 9"),
        ((struct.pack("<IQQ", 3, 0, 1), _text(b"k"), struct.pack("<IIQ", 9, 8, 1 << 60)), "ends within its header"),
        ((struct.pack("<IQQ", 3, 0, 1), _text(b"k"), struct.pack("<IIQ", 9, 0, 1 << 60)), "ends within its header"),
        ((struct.pack("<IQQ", 3, 1, 0), _text(b"t"), struct.pack("<I", 9)), "has 9 dimensions"),
        ((struct.pack("<IQQ", 3, 1, 0), _text(b"t"), struct.pack("<IQQIQ", 2, 1 << 40, 9, 0, 0)), "has the shape"),
        ((struct.pack("<IQQ", 3, 1, 0), _text(b"t"), struct.pack("<IQIQ", 1, 33, 8, 0)), "whole Q8_0 blocks"),
        ((struct.pack("<IQQ", 3, 1, 0), _text(b"t"), struct.pack("<IQIQ", 1, 32, 0, 1 << 50)), "is incomplete"),
        (
            (struct.pack("<IQQ", 3, 2, 0), 2 * (_text(b"t") + struct.pack("<IQIQ", 1, 0, 0, 0)), bytes(64)),
            "listed twice",
        ),
        (
            (struct.pack("<IQQ", 3, 0, 1), _text(b"general.alignment"), struct.pack("<II", 4, 24)),
            "alignment is no power of two",
        ),
    ],
)
def test_absurd_headers(tmp_path: Path, parts: tuple[bytes, ...], words: str) -> None:
    path = _file(tmp_path / "absurd.gguf", *parts)
    with pytest.raises(Problem, match=words) as caught:
        read_gguf_header(path)
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED


def test_other_files(tmp_path: Path) -> None:
    path = tmp_path / "page.gguf"
    path.write_text("<html>Not found</html>", encoding="utf-8")
    assert not is_gguf(path)
    with pytest.raises(Problem, match=r"does not begin like a GGUF file\. Fetch the file again"):
        read_gguf_header(path)
    with pytest.raises(Problem, match="cannot be read") as caught:
        read_gguf_header(tmp_path / "nothing.gguf")
    assert caught.value.kind is ProblemKind.MODEL_MISSING


def test_types_that_are_not_multiplied_with_are_named(tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "iq.gguf", "yue2")
    writer.add_tensor("x", np.zeros((2, 136), np.uint8), raw_dtype=gguf.GGMLQuantizationType.IQ4_XS)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    tensor = read_gguf_header(tmp_path / "iq.gguf").tensors["x"]
    assert (tensor.type, tensor.type_name, tensor.shape) == (None, "IQ4_XS", (2, 256))
