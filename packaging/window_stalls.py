"""How long the window keeps its user waiting: the longest gaps of a 10 ms timer, in milliseconds, while it works.

Run it with the project's Python: `.venv/bin/python packaging/window_stalls.py [--stacks]`. The window is a real one
with the engine's own process and the test model; no screen is needed, nothing of the user's is read or written.
Three runs are made, each in a process of its own, and the median counts. `--stacks` says where it waited.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
RUNS: Final = 3
#: What the event loop may be away for (spec/qt-and-packaging.md).
LIMIT_MS: Final = 60.0


def main(arguments: list[str]) -> int:
    """Prints a line for each kind of work; 1 where a median is over the limit."""
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) / "models"
        subprocess.run(
            [sys.executable, "-m", "yue2_desktop", "test-model", str(models)],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        runs = [_run(models, Path(folder) / f"home-{number}", arguments) for number in range(RUNS)]
    print(f"{'longest gap of a 10 ms timer, ms':<36} {'median':>7} {'own work':>9}   {RUNS} runs")
    worst = 0.0
    for name in runs[0]:
        gaps, works = ([run[name][column] for run in runs] for column in (0, 1))
        median = statistics.median(gaps)
        worst = max(worst, median)
        each = " ".join(f"{gap:.0f}" for gap in gaps)
        print(f"{name:<36} {median:>7.0f} {statistics.median(works):>9.0f}   {each}")
    print(f"limit {LIMIT_MS:.0f} ms: {'kept' if worst <= LIMIT_MS else 'not kept'}")
    return 0 if worst <= LIMIT_MS else 1


def _run(models: Path, home: Path, arguments: list[str]) -> dict[str, list[float]]:
    home.mkdir()
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'packaging'}",
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")},
        "HOME": str(home),
    }
    code = "import window_work, sys; window_work.work(sys.argv[1], sys.argv[2], sys.argv[3:])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(models), str(home / "takes"), *arguments],
        env=variables, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    found: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
