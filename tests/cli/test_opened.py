"""Models in pieces: shards, and what take.json says of the released one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from yue2_desktop.cli.opened import Opened, open_all
from yue2_desktop.engine.config import RELEASED_MODEL
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.weights.testmodel import TestModel

Cli = Callable[..., Any]
CPU = Device(torch.device("cpu"), torch.float32)


@pytest.fixture
def shards(test_model: TestModel, tmp_path: Path) -> Path:
    """The test model in two files."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for name in ("config.json", "qwen.tiktoken"):
        shutil.copy(test_model.model_dir / name, folder)
    tensors = load_file(test_model.model_dir / "model.safetensors")
    names = sorted(tensors)
    for number, half in ((1, names[::2]), (2, names[1::2])):
        save_file({name: tensors[name] for name in half}, folder / f"model-{number:05d}-of-00002.safetensors")
    return folder


def test_two_shards_sing_as_one_file(
    shards: Path, cli: Cli, tiny: tuple[str, ...], finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "take"
    options = (*tiny, "--model", shards, "--stop-after", "latents")
    assert cli("render", *options, "--output", out, "--quiet").status == 0
    for name in ("abc_tokens.npy", "semantic.npy", "latent.npy"):
        assert (out / name).read_bytes() == (finished / name).read_bytes()
    (shards / "model-00002-of-00002.safetensors").unlink()
    ended = cli("render", *options, "--output", tmp_path / "other")
    assert ended.status == 2
    assert "lacks model-00002-of-00002.safetensors" in ended.err


def test_the_licence_of_the_released_weights_is_recorded(test_model: TestModel) -> None:
    opened = open_all(CPU, test_model.model_dir, None)
    assert opened.model is not None
    released = replace(opened, model=replace(opened.model, config=RELEASED_MODEL))
    assert released.made_with((), earlier={}).weights_licence.startswith("CC BY-NC 4.0")
    assert opened.made_with((), earlier={}).weights_licence.startswith("unknown")
    alone = Opened(CPU, None, None, None)
    assert alone.made_with((), earlier={"weights_licence": "CC0"}).weights_licence == "CC0"


def test_nothing_open_is_a_fault_of_the_program() -> None:
    alone = Opened(CPU, None, None, None)
    with pytest.raises(RuntimeError, match="no model"):
        alone.computing()
    with pytest.raises(RuntimeError, match="no decoder"):
        alone.decode(torch.zeros(1, 64).numpy(), None, None)  # type: ignore[arg-type]
