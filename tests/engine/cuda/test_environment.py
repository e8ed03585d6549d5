"""The allocator's settings: where they go, and that they come before torch."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from yue2_desktop.engine.cuda.environment import allocator_settings, prepare_allocator

ROOT = Path(__file__).resolve().parents[3]


def test_row_19_segments_grow_on_linux() -> None:
    assert allocator_settings("linux", {}) == {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}


def test_windows_has_no_growing_segments() -> None:
    assert allocator_settings("win32", {}) == {}


@pytest.mark.parametrize("name", ["PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"])
def test_what_the_user_has_set_stays(name: str) -> None:
    environment = {name: "backend:cudaMallocAsync"}
    assert prepare_allocator(environment, platform="linux")
    assert environment == {name: "backend:cudaMallocAsync"}


def test_a_childs_environment_is_prepared_whatever_this_process_has_imported() -> None:
    import torch

    assert torch.__name__ in sys.modules
    environment: dict[str, str] = {"PATH": "x"}
    assert prepare_allocator(environment, platform="linux")
    assert environment["PYTORCH_CUDA_ALLOC_CONF"] == "expandable_segments:True"


def test_too_late_is_said(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTORCH_CUDA_ALLOC_CONF", raising=False)
    with caplog.at_level(logging.WARNING):
        assert not prepare_allocator(platform="linux")
    assert "have no effect" in caplog.text


def test_it_comes_before_torch() -> None:
    """In a fresh process: the module does not import torch, and torch then finds the setting."""
    code = (
        "import os, sys\n"
        "from yue2_desktop.engine.cuda.environment import prepare_allocator\n"
        "assert 'torch' not in sys.modules\n"
        "assert prepare_allocator(platform='linux')\n"
        "print(os.environ['PYTORCH_CUDA_ALLOC_CONF'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "expandable_segments:True"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no growing segments")
def test_row_19_the_command_line_sets_it_before_a_command_imports_torch(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from yue2_desktop.__main__ import main\n"
        "assert 'torch' not in sys.modules\n"
        "main(['render', '--style', 'waltz', '--lyrics', '[verse]', '--model', 'none', '--vae', 'none', "
        "'--device', 'cpu', '--output', 'none'])\n"
        "assert 'torch' in sys.modules\n"
        "print(os.environ['PYTORCH_CUDA_ALLOC_CONF'])\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTORCH_")}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("expandable_segments:True")
