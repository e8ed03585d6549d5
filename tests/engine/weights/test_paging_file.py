"""Row 24: Windows refuses to map a weights file, and its tensors are read one by one."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch
from safetensors.torch import save_file

from yue2_desktop.engine.weights import safetensors_source
from yue2_desktop.engine.weights.safetensors_source import SafetensorsSource
from yue2_desktop.song.errors import Problem, ProblemKind

REFUSED = OSError("The paging file is too small for this operation to complete. (os error 1455)")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    generator = torch.Generator().manual_seed(1)
    save_file({"a": torch.randn(5, 3, generator=generator), "b": torch.randn(7, generator=generator).bfloat16()}, path)
    return path


def _refuse(*_args: object, **_options: object) -> NoReturn:
    raise REFUSED


def test_tensors_are_read_one_by_one(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = SafetensorsSource([file])
    monkeypatch.setattr(safetensors_source, "safe_open", _refuse)
    source = SafetensorsSource([file])
    with caplog.at_level(logging.WARNING):
        found = {name: source.read(name) for name in ("a", "b")}
    monkeypatch.undo()
    for name, tensor in found.items():
        assert torch.equal(tensor, wanted.read(name))
        assert tensor.dtype is wanted.read(name).dtype
    assert len(caplog.records) == 1
    assert "os error 1455" in caplog.text


def test_a_refusal_in_the_middle_of_a_file_counts_as_well(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Handle:
        get_tensor = staticmethod(_refuse)

    monkeypatch.setattr(safetensors_source, "safe_open", lambda *_args, **_options: Handle())
    assert SafetensorsSource([file]).read("a").shape == (5, 3)


def test_any_other_error_is_a_damaged_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> NoReturn:
        raise OSError("the cat sat on it")

    monkeypatch.setattr(safetensors_source, "safe_open", broken)
    with pytest.raises(Problem) as caught:
        SafetensorsSource([file]).read("a")
    assert caught.value.kind is ProblemKind.MODEL_DAMAGED


def test_where_reading_is_refused_too_the_advice_is_plain(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SafetensorsSource([file])
    plain_open = Path.open

    def refusing(path: Path, *args: Any, **options: Any) -> Any:
        if path == file:
            raise REFUSED
        return plain_open(path, *args, **options)

    monkeypatch.setattr(Path, "open", refusing)
    with pytest.raises(Problem) as caught:
        source.read_rows("a", 0, 2)
    assert caught.value.kind is ProblemKind.OUT_OF_MEMORY
    assert "paging file" in caught.value.sentence
