"""What the engine's process finds in its environment, and that the window's side never imports torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from yue2_desktop.runtime.environment import engine_environment

ROOT = Path(__file__).parents[2]


def test_the_card_is_chosen_before_the_process_starts() -> None:
    """user-reports.md, row 34: by UUID, whatever the environment said; everything else stays."""
    base = {"PATH": "/bin", "CUDA_VISIBLE_DEVICES": "7"}
    chosen = engine_environment("GPU-1234", base)
    assert chosen["CUDA_VISIBLE_DEVICES"] == "GPU-1234"
    assert (chosen["PATH"], chosen["PYTHONUTF8"]) == ("/bin", "1")
    assert engine_environment(None, base)["CUDA_VISIBLE_DEVICES"] == "7"
    assert base == {"PATH": "/bin", "CUDA_VISIBLE_DEVICES": "7"}


def test_the_windows_side_of_the_engine_has_no_torch() -> None:
    """qt-and-packaging, trap 2."""
    script = (
        "import sys\n"
        "import yue2_desktop.runtime.worker, yue2_desktop.runtime.orders, yue2_desktop.runtime.environment\n"
        "import yue2_desktop.runtime.fake_engine, yue2_desktop.__main__\n"
        "print([name for name in ('torch', 'safetensors', 'gguf') if name in sys.modules])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True, timeout=60)
    assert ended.stdout.strip() == b"[]"
