"""What `inspect` says of takes, models and files, whole and broken."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yue2_desktop.engine.weights.testmodel import TestModel

Cli = Callable[..., Any]


def test_a_take(cli: Cli, finished: Path) -> None:
    ended = cli("inspect", finished)
    assert ended.status == 0
    assert ended.out.startswith(f"{finished}: a take\n")
    for words in ("English, piano pop", "[Verse] / hello", "seed 7", "12 tokens, cut at its ceiling of frames",
                  "0:00.5", "float32", "latent.npy"):  # fmt: skip
        assert words in ended.out
    ended = cli("inspect", finished, "--json", "--hash")
    assert ended.status == 0
    (result,) = ended.events
    assert result["kind"] == "a take"
    assert result["request"]["seed"] == 7
    assert result["frames"] == 12
    hashes = {file["name"]: file["sha256"] for file in result["files"]}
    assert hashes["latent.npy"] == hashlib.sha256((finished / "latent.npy").read_bytes()).hexdigest()


def test_a_take_with_something_wrong(cli: Cli, finished: Path, tmp_path: Path) -> None:
    take = tmp_path / "take"
    shutil.copytree(finished, take)
    (take / "semantic.npy").write_bytes(b"no")
    (take / "audio.flac").unlink()
    ended = cli("inspect", take)
    assert ended.status == 1
    assert "Problem: audio.flac is missing." in ended.out
    assert "semantic.npy is not a readable npy file" in ended.out
    ended = cli("inspect", take, "--json")
    assert ended.status == 1
    assert len(ended.events[0]["problems"]) >= 2


def test_models(cli: Cli, test_model: TestModel) -> None:
    ended = cli("inspect", test_model.model_dir)
    assert ended.status == 0
    for words in ("a YuE2 model (not the released size), whole", "3 layers of 128", "48.4 million", "BF16 96.7 MB",
                  "qwen.tiktoken"):  # fmt: skip
        assert words in ended.out
    ended = cli("inspect", test_model.vae_dir, "--hash")
    assert ended.status == 0
    assert "a YuE2 audio decoder (not the released size), whole" in ended.out
    digest = hashlib.sha256((test_model.vae_dir / "model.safetensors").read_bytes()).hexdigest()
    assert digest in ended.out


def test_weights_files(cli: Cli, test_model: TestModel, tmp_path: Path) -> None:
    ended = cli("inspect", test_model.model_dir / "model.safetensors", "--json")
    assert ended.status == 0
    (result,) = ended.events
    assert result["kind"] == "weights of a YuE2 model: AR and NAR, vocabulary"
    assert result["tensors"] == 78
    assert result["dtypes"] == {"BF16": 78}
    assert "audio decoder and encoder" in cli("inspect", test_model.vae_dir / "model.safetensors").out
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes((test_model.vae_dir / "model.safetensors").read_bytes()[:-7])
    ended = cli("inspect", cut)
    assert ended.status == 2
    assert "incomplete or was changed" in ended.err


def test_a_model_with_something_wrong(cli: Cli, test_model: TestModel, tmp_path: Path) -> None:
    folder = tmp_path / "vae"
    shutil.copytree(test_model.vae_dir, folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-7])
    ended = cli("inspect", folder)
    assert ended.status == 1
    assert "a YuE2 audio decoder that cannot be used" in ended.out
    assert ended.out.count("incomplete or was changed") == 1
    (folder / "config.json").unlink()
    assert "config.json is missing" in cli("inspect", folder).out
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}), encoding="utf-8")
    ended = cli("inspect", folder)
    assert ended.status == 2
    assert "the model of another program (model_type 'llama')" in ended.err


def test_single_files(cli: Cli, finished: Path) -> None:
    assert "12 frames, 0:00.5" in cli("inspect", finished / "latent.npy").out
    ended = cli("inspect", finished / "audio.flac", "--json")
    assert ended.events[0]["sample_rate"] == 48_000


@pytest.mark.parametrize("name", ["", "words.txt", "not-there.flac", "not-there"])
def test_what_is_not_known(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("la", encoding="utf-8")
    ended = cli("inspect", tmp_path / name)
    assert ended.status == 2
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1


def test_gguf(cli: Cli, test_model: TestModel, tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    assert cli("convert", "--to", "q4_0", "--nar", "q8_0", "--quiet", test_model.model_dir, path).status == 0
    for place in (path, tmp_path):
        ended = cli("inspect", place)
        assert ended.status == 0
        for words in ("YuE2 as GGUF: AR half and NAR half, whole", "layout      A", "48.2 million", "Q4_0"):
            assert words in ended.out
    (result,) = cli("inspect", path, "--json", "--hash").events
    assert (result["parts"], result["layouts"]) == (["AR half", "NAR half"], ["A"])
    assert result["files"][0]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_gguf_that_is_cut_or_under_another_name(cli: Cli, test_model: TestModel, tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    assert cli("convert", "--to", "q8_0", "--quiet", test_model.model_dir, path).status == 0
    renamed = tmp_path / "renamed.safetensors"
    shutil.copy(path, renamed)
    ended = cli("inspect", renamed)
    assert ended.status == 2
    assert "is a GGUF under another name. Give it the ending .gguf." in ended.err
    path.write_bytes(path.read_bytes()[:-9])
    ended = cli("inspect", path)
    assert ended.status == 2
    assert "the file is incomplete" in ended.err
    shutil.copy(test_model.vae_dir / "model.safetensors", path)
    ended = cli("inspect", path)
    assert ended.status == 2
    assert "is a safetensors file under another name. Give it the ending .safetensors." in ended.err
