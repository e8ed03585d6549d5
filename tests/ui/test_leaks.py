"""What a test leaves running fails that test, and does not end the whole run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAKS = {"QThread": "", "QTimer": "1000"}


@pytest.mark.parametrize("kind", sorted(LEAKS))
def test_row_107_a_thread_or_a_timer_that_is_left_fails_its_test_alone(tmp_path: Path, kind: str) -> None:
    (tmp_path / "test_leak.py").write_text(
        "from tests.ui.conftest import nothing_left\n"
        f"from PySide6.QtCore import {kind}\n"
        f"left = []\ndef leak():\n    left.append({kind}())\n    left[0].start({LEAKS[kind]})\n"
        "def test_leaks(qapp):\n    leak()\n"
        "def test_next(qapp):\n    pass\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), "-o", "addopts=", str(tmp_path / "test_leak.py")],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "left running" in done.stdout
    assert "2 passed, 1 error" in done.stdout
