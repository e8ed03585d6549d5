"""Models found below a folder by their headers: in subfolders, renamed, incomplete, beside other files (row 59)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from yue2_desktop.engine.weights.find import Found, FoundAs, find_models
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.open import open_model_at, open_vae_at
from yue2_desktop.engine.weights.testmodel import TestModel
from yue2_desktop.song.errors import Problem, ProblemKind

Layout = Callable[[str], Path]


def _linked(origin: Path, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.hardlink_to(origin)
    return path


def _found(folder: Path) -> dict[str, Found]:
    return {str(found.path.relative_to(folder)): found for found in find_models(folder)}


@pytest.fixture
def disk(tmp_path: Path, test_model: TestModel, layout_model: Layout, layout_vae: Layout) -> Path:
    """A disk as users have them: a checkpoint, renamed files, halves, other people's files."""
    _linked(test_model.model_dir / "model.safetensors", tmp_path / "ai" / "YuE2-3B" / "model.safetensors")
    for name in ("config.json", "qwen.tiktoken"):
        shutil.copy(test_model.model_dir / name, tmp_path / "ai" / "YuE2-3B" / name)
    _linked(test_model.vae_dir / "model.safetensors", tmp_path / "ai" / "sound" / "yue_vae.safetensors")
    _linked(test_model.model_dir / "model.safetensors", tmp_path / "comfy" / "yue2_3b_bf16.safetensors")
    _linked(layout_model("D"), tmp_path / "gg" / "anything.GGUF")
    _linked(layout_model("C") / "yue2-nar.gguf", tmp_path / "half" / "x.gguf")
    _linked(layout_vae("B-folded"), tmp_path / "gg" / "v.gguf")
    save_file({"a.lora_A.weight": torch.zeros(2, 2)}, tmp_path / "comfy" / "style.safetensors")
    save_file({"w": torch.zeros(2, 2, dtype=torch.int8)}, tmp_path / "comfy" / "yue2_3b_int8.safetensors")
    save_file(
        {"w": torch.zeros(2, 2).to(torch.uint32)}, tmp_path / "comfy" / "pack.safetensors",
        metadata={"format": "yue2-prequantized-v1"},
    )  # fmt: skip
    save_file({"w": torch.zeros(2, 2)}, tmp_path / "comfy" / "other.safetensors")
    (tmp_path / "gg" / "cut.gguf").write_bytes(b"GGUF\x03")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    return tmp_path


def test_everything_is_found_and_named(disk: Path) -> None:
    found = _found(disk)
    kinds = {path: item.found_as for path, item in found.items()}
    assert kinds == {
        "ai/YuE2-3B": FoundAs.MODEL,
        "ai/sound/yue_vae.safetensors": FoundAs.VAE,
        "comfy/yue2_3b_bf16.safetensors": FoundAs.MODEL,
        "comfy/style.safetensors": FoundAs.OTHER,
        "comfy/yue2_3b_int8.safetensors": FoundAs.OTHER,
        "comfy/pack.safetensors": FoundAs.OTHER,
        "comfy/other.safetensors": FoundAs.OTHER,
        "gg/anything.GGUF": FoundAs.MODEL,
        "gg/v.gguf": FoundAs.VAE,
        "gg/cut.gguf": FoundAs.UNREADABLE,
        "half/x.gguf": FoundAs.HALF,
    }
    assert found["ai/YuE2-3B"].missing == ()
    assert found["comfy/yue2_3b_bf16.safetensors"].missing == ("qwen.tiktoken (2.6 MB)",)
    assert found["gg/anything.GGUF"].description == "YuE2 in GGUF layout D, Q8_0"
    assert any("tokenizer" in words for words in found["gg/anything.GGUF"].missing)
    assert len(found["half/x.gguf"].missing) == 2
    assert "is damaged" in found["gg/cut.gguf"].description
    for name, words in {"style": "LoRA", "yue2_3b_int8": "8-bit", "pack": "MLX", "other": "something else"}.items():
        assert words in found[f"comfy/{name}.safetensors"].description
    assert all(item.nbytes > 0 for item in found.values())


def test_what_is_found_opens(disk: Path, model_files: ModelFiles, vae_files: VaeFiles) -> None:
    shutil.copy(disk / "ai" / "YuE2-3B" / "qwen.tiktoken", disk / "comfy")
    for path in ("ai/YuE2-3B", "ai/YuE2-3B/model.safetensors", "comfy/yue2_3b_bf16.safetensors"):
        opened = open_model_at(disk / path)
        assert opened.config.hidden_size == model_files.config.hidden_size
        assert opened.source.names() == model_files.source.names()
    assert open_vae_at(disk / "ai" / "sound" / "yue_vae.safetensors").config == vae_files.config
    assert open_vae_at(disk / "gg" / "v.gguf").config == vae_files.config
    assert open_vae_at(disk / "gg" / "v.gguf").folder == disk / "gg"


def test_a_renamed_model_without_its_tokenizer(disk: Path) -> None:
    with pytest.raises(Problem, match=r"there is no qwen\.tiktoken \(2\.6 MB\)") as caught:
        open_model_at(disk / "comfy" / "yue2_3b_bf16.safetensors")
    assert caught.value.kind is ProblemKind.MODEL_MISSING


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("comfy/style.safetensors", "a LoRA adapter"),
        ("comfy/yue2_3b_int8.safetensors", "an 8-bit checkpoint for ComfyUI"),
        ("comfy/pack.safetensors", "for MLX"),
        ("ai/sound/yue_vae.safetensors", "YuE2-Vae, F32, not the model"),
        ("notes.txt", "neither a GGUF nor a safetensors file"),
    ],
)
def test_what_is_no_model_is_named(disk: Path, name: str, words: str) -> None:
    with pytest.raises(Problem, match=words) as caught:
        open_model_at(disk / name)
    assert caught.value.kind is ProblemKind.BAD_FILE


def test_shards_are_one_model(tmp_path: Path) -> None:
    names = {"model-00001-of-00002.safetensors": "self_attn", "model-00002-of-00002.safetensors": "nar_self_attn"}
    for file, part in names.items():
        tensors = {f"model.layers.0.{part}.q_proj.weight": torch.zeros(2, 2)}
        tensors[f"model.layers.1.nar_self_attn.{part}"] = torch.zeros(2)
        save_file(tensors, tmp_path / file)
    (tmp_path / "config.json").write_text(json.dumps({}), encoding="utf-8")
    found = list(find_models(tmp_path))
    assert [(item.path, item.found_as, item.missing) for item in found] == [
        (tmp_path, FoundAs.MODEL, ("qwen.tiktoken (2.6 MB)",))
    ]


def test_depth_links_and_missing_folders(tmp_path: Path, layout_vae: Layout) -> None:
    _linked(layout_vae("D"), tmp_path / "a" / "b" / "v.gguf")
    (tmp_path / "a" / "round").symlink_to(tmp_path)
    assert len(list(find_models(tmp_path))) == 1
    assert list(find_models(tmp_path, depth=1)) == []
    with pytest.raises(Problem, match="is no folder"):
        list(find_models(tmp_path / "nothing"))


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    scan = os.scandir

    def refusing(path: Any) -> Any:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    (tmp_path / "locked").mkdir()
    monkeypatch.setattr(os, "scandir", refusing)
    (found,) = find_models(tmp_path)
    assert found.found_as is FoundAs.UNREADABLE
    assert "cannot be read (Permission denied)" in found.description
