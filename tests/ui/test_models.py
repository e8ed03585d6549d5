"""A model is found by what it says of itself, in subfolders, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.ui.models import FoundModels, find_models


def put(folder: Path, model_type: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"model_type": model_type}), encoding="utf-8")
    return folder


def test_nothing_is_there(tmp_path: Path) -> None:
    assert find_models(tmp_path) == FoundModels()
    assert find_models(tmp_path / "missing") == FoundModels(is_folder=False)


def test_a_checkpoint_and_its_decoder_in_subfolders(tmp_path: Path) -> None:
    model, vae = put(tmp_path / "a b" / "YuE2-3B", "yue2"), put(tmp_path / "模型" / "Vae", "yue2_vae")
    put(tmp_path / "other", "llama")
    found = find_models(tmp_path)
    assert found == FoundModels(model, vae)
    assert found.is_whole


def test_the_test_model_is_one(test_model: TestModel) -> None:
    found = find_models(test_model.model_dir.parent)
    assert found == FoundModels(test_model.model_dir, test_model.vae_dir, is_test=True)


def test_a_gguf_file_where_there_is_no_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "yue2-q8_0.gguf"
    file.write_bytes(b"GGUF\x03\0\0\0")
    (tmp_path / "no.gguf").write_bytes(b"no")
    assert find_models(tmp_path).model == file
    model = put(tmp_path / "YuE2-3B", "yue2")
    assert find_models(tmp_path).model == model


@pytest.mark.parametrize("text", ["", "{", "[]", '{"model_type": 3}', "\x00"])
def test_what_cannot_be_read_is_passed_by(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    assert find_models(tmp_path) == FoundModels()
