"""How long the window keeps its user waiting: the longest gaps of a 10 ms timer, in milliseconds, while it works.

Run it with the project's Python: `.venv/bin/python packaging/window_stalls.py [--stacks]`. It is the measurement of
tests/ui/test_stalls.py with its table, without the other tests; `--stacks` says where the window waited. No screen is
needed, nothing of the user's is read or written.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Read by tests/ui/stalls/one_run.py.
STACKS = "YUE2_STALL_STACKS"


def main(arguments: list[str]) -> int:
    """The exit status of pytest: 1 where a median is over the limit."""
    variables = {**os.environ, STACKS: "1"} if "--stacks" in arguments else dict(os.environ)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "tests/ui/test_stalls.py", "-k", "event_loop"]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
