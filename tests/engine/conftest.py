"""What the engine's tests share: the opened test model, and the golden vectors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles, open_model, open_vae
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.testmodel import TestModel

GOLDENS = Path(__file__).parents[1] / "goldens"
CPU = torch.device("cpu")
DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}


@pytest.fixture(scope="session")
def model_files(test_model: TestModel) -> ModelFiles:
    return open_model(test_model.model_dir)


@pytest.fixture(scope="session")
def vae_files(test_model: TestModel) -> VaeFiles:
    return open_vae(test_model.vae_dir)


@pytest.fixture(scope="session")
def reader(model_files: ModelFiles) -> Callable[[str], WeightReader]:
    """A reader of the test model in the dtype "fp32" or "bf16"."""
    return lambda name: WeightReader(model_files.source, model_files.config, DTYPES[name], CPU)


@pytest.fixture(scope="session")
def golden_json() -> Callable[[str], Any]:
    return lambda name: json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def golden() -> Callable[[str], dict[str, torch.Tensor]]:
    return lambda name: load_file(GOLDENS / f"{name}.safetensors")


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:
    with torch.inference_mode():
        yield
