"""The script behind the README's table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "packaging" / "plan_table.py"), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_the_table_is_printed_with_what_was_measured(tmp_path: Path) -> None:
    measured = tmp_path / "measured.json"
    measured.write_text('{"8GB": "измерено: 3 min"}', encoding="utf-8")
    done = _run("--measured", str(measured))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| card (free of it) |")
    assert "| измерено: 3 min |" in done.stdout


def test_the_golden_table_is_written(tmp_path: Path) -> None:
    peaks = tmp_path / "peaks.json"
    assert _run("--peaks", str(peaks)).returncode == 0
    assert json.loads(peaks.read_text(encoding="utf-8"))["6GB"]["120"]["semantic"] > 3 * 1024**3


def test_a_damaged_file_of_measurements_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "measured.json"
    broken.write_text("{", encoding="utf-8")
    done = _run("--measured", str(broken))
    assert done.returncode == 2
    assert "measured.json" in done.stderr
