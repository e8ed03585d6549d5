"""Row 29 in the plan: what the engine found of the attention is what the planner goes by."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from yue2_desktop.engine.cuda import paths
from yue2_desktop.engine.cuda.known import with_known_attention
from yue2_desktop.engine.cuda.paths import CardPath, CardPaths, key_of
from yue2_desktop.engine.cuda.verdicts import Verdict, VerdictStore
from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.probe_nvml import Cards

ROOT = Path(__file__).resolve().parents[3]
CARD = torch.device("cuda", 0)
GPU = GpuFacts(name="NVIDIA GeForce RTX 3050 Laptop GPU", driver="580.65")
MACHINE = MachineFacts(gpus=(GPU,), torch=TorchFacts(torch.__version__, torch.version.cuda))


@pytest.fixture
def probed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in which the engine has noted that flash attention is missing on this card."""
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: GPU.name)
    monkeypatch.setattr(paths, "read_cards", lambda: Cards((GPU,)))
    file = tmp_path / "card-paths.json"
    probes = {path: lambda _device, _dtype, path=path: Verdict(path is not CardPath.FLASH, "") for path in CardPath}
    found = CardPaths(CARD, torch.bfloat16, VerdictStore(file, key_of(CARD)), probes).attention
    assert found.name == "efficient"
    return file


def test_the_planner_learns_what_the_engine_found(probed: Path) -> None:
    known = with_known_attention(MACHINE, GPU, probed)
    assert known.torch is not None
    assert known.torch.attention == ("efficient",)


@pytest.mark.parametrize("gpu", [
    None, replace(GPU, driver="581.00"), replace(GPU, name="Another"), replace(GPU, pretended=True), GpuFacts(),
])  # fmt: skip
def test_another_card_or_driver_is_unknown(probed: Path, gpu: GpuFacts | None) -> None:
    assert with_known_attention(MACHINE, gpu, probed) == MACHINE


def test_before_the_first_probe_nothing_is_known(tmp_path: Path) -> None:
    assert with_known_attention(MACHINE, GPU, tmp_path / "card-paths.json") == MACHINE
    assert with_known_attention(MACHINE, GPU) == MACHINE
    assert with_known_attention(replace(MACHINE, torch=None), GPU, tmp_path / "x.json").torch is None


def test_torch_is_not_imported_for_it() -> None:
    code = "import sys, yue2_desktop.engine.cuda.known; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
