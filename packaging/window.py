"""The desktop app, opened from a checkout where it exists and there is a display to open it on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from display import has_display
from environment import clean_environment


def can_open(root: Path) -> bool:
    """Whether this checkout has the desktop app and this machine a display."""
    return (root / "yue2_desktop" / "ui").is_dir() and has_display(sys.platform, os.environ)


def open_and_wait(python: Path, root: Path) -> int:
    """Open the window and return its exit status when it is closed."""
    command = [str(python), "-P", "-m", "yue2_desktop"]
    return subprocess.run(command, cwd=root, env=clean_environment(os.environ), check=False).returncode
