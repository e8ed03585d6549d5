"""The test model: the released layout, the golden vectors' rules, and folders that stay whole."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from yue2_desktop.engine.weights.testmodel import TestModel, materialise
from yue2_desktop.paths import resources

SOURCE = resources() / "test-model"
# What the golden vectors' own writer makes of the same merges.
TOKENIZER_SHA256 = "dc8e5a97a54bb90f17734fb70e3983ff479f3deec94019bbc052b0da3a1e0899"


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of every file: equal means that nothing was written."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_weights_have_the_released_names_and_no_metadata(test_model: TestModel) -> None:
    with safe_open(test_model.model_dir / "model.safetensors", "pt") as weights:
        names = set(weights.keys())
        shapes = {name: tuple(weights.get_slice(name).get_shape()) for name in names}
        assert weights.metadata() is None
        assert {weights.get_slice(name).get_dtype() for name in names} == {"BF16"}
    assert len(names) == 22 * 3 + 12
    assert shapes["lm_head.weight"] == shapes["model.embed_tokens.weight"] == (184_704, 128)
    assert shapes["latent_pos_embed.pe"] == (1024, 128)


@pytest.mark.parametrize(("name", "factors"), [("model.embed_tokens.weight", "embed"), ("lm_head.weight", "head")])
@pytest.mark.parametrize("row", [0, 1, 511, 512, 77_777, 151_853, 184_703])
def test_vocabulary_rows_follow_the_golden_rule(test_model: TestModel, name: str, factors: str, row: int) -> None:
    vocab = load_file(SOURCE / "mot" / "vocab.safetensors")
    with safe_open(test_model.model_dir / "model.safetensors", "pt") as weights:
        found = weights.get_slice(name)[row]
    first, second = vocab[f"{factors}_A"][row % 512], vocab[f"{factors}_B"][row // 512]
    assert torch.equal(found, (first.float() + second.float()).to(torch.bfloat16))


def test_the_end_tokens_have_rows_of_their_own(test_model: TestModel) -> None:
    vocab = load_file(SOURCE / "mot" / "vocab.safetensors")
    assert vocab["override_ids"].tolist() == [151_848, 151_852]
    with safe_open(test_model.model_dir / "model.safetensors", "pt") as weights:
        head = weights.get_slice("lm_head.weight")
        for index, row in enumerate(vocab["override_ids"].tolist()):
            assert torch.equal(head[row], vocab["override_head"][index])


def test_the_other_tensors_are_the_resources(test_model: TestModel) -> None:
    core = load_file(SOURCE / "mot" / "core.safetensors")
    made = load_file(test_model.model_dir / "model.safetensors")
    assert all(torch.equal(made[name], tensor) for name, tensor in core.items())


def test_the_tokenizer_is_the_golden_one(test_model: TestModel) -> None:
    data = (test_model.model_dir / "qwen.tiktoken").read_bytes()
    assert hashlib.sha256(data).hexdigest() == TOKENIZER_SHA256
    assert data.count(b"\n") == 151_643


def test_the_vae_and_the_configs_are_copied(test_model: TestModel) -> None:
    for made, origin in [
        (test_model.vae_dir / "model.safetensors", SOURCE / "vae" / "model.safetensors"),
        (test_model.vae_dir / "config.json", SOURCE / "vae" / "config.json"),
        (test_model.model_dir / "config.json", SOURCE / "mot" / "config.json"),
    ]:
        assert made.read_bytes() == origin.read_bytes()


def test_a_second_call_writes_nothing(tmp_path: Path) -> None:
    first = materialise(tmp_path / "Ünïcode folder")
    before = state(tmp_path)
    assert materialise(tmp_path / "Ünïcode folder") == first
    assert state(tmp_path) == before


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone", "record gone", "record garbled"])
def test_damage_is_mended(tmp_path: Path, damage: str) -> None:
    made = materialise(tmp_path)
    victim = made.vae_dir / "model.safetensors"
    whole = victim.read_bytes()
    match damage:
        case "cut":
            os.truncate(victim, 1000)
        case "flipped":
            victim.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        case "gone":
            victim.unlink()
        case "record gone":
            (tmp_path / "test-model.json").unlink()
        case _:
            (tmp_path / "test-model.json").write_text("{", encoding="utf-8")
    materialise(tmp_path)
    assert victim.read_bytes() == whole
    before = state(tmp_path)
    materialise(tmp_path)
    assert state(tmp_path) == before


def test_only_the_damaged_file_is_made_again(tmp_path: Path) -> None:
    made = materialise(tmp_path)
    before = state(tmp_path)
    (made.model_dir / "config.json").write_text("{}", encoding="utf-8")
    materialise(tmp_path)
    after = state(tmp_path)
    assert after["model/model.safetensors"] == before["model/model.safetensors"]
    assert (made.model_dir / "config.json").read_bytes() == (SOURCE / "mot" / "config.json").read_bytes()


def test_other_resources_make_another_model(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(SOURCE, source)
    made = materialise(tmp_path / "made", source=source)
    config = json.loads((source / "vae" / "config.json").read_text(encoding="utf-8"))
    (source / "vae" / "config.json").write_text(json.dumps(config | {"note": 1}), encoding="utf-8")
    materialise(tmp_path / "made", source=source)
    assert json.loads((made.vae_dir / "config.json").read_text(encoding="utf-8"))["note"] == 1


def test_an_interrupted_write_leaves_no_file_under_a_final_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        materialise(tmp_path)
    assert state(tmp_path) == {}
