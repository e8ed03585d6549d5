"""Pictures of the window and its dialogs, light and dark, at 100 and 200 %, empty and full, into `build/pictures`.

Run it with the project's Python: `.venv/bin/python packaging/ui_pictures.py [FOLDER]`. No screen is needed, and
nothing of the user's is read or written.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SCALES = ("1", "2")


def main(arguments: list[str]) -> int:
    """Takes all pictures; one process a scale, since Qt reads it once."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for scale in _SCALES:
        with tempfile.TemporaryDirectory() as home:
            variables = {
                **os.environ,
                "QT_QPA_PLATFORM": "offscreen",
                "QT_SCALE_FACTOR": scale,
                "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'packaging'}",
                **{f"XDG_{kind}_HOME": f"{home}/{kind}" for kind in ("CONFIG", "DATA", "CACHE", "STATE")},
                "HOME": home,
            }
            command = [sys.executable, "-c", "import ui_scenes, sys; ui_scenes.take(*sys.argv[1:])", str(folder), scale]
            status |= subprocess.run(command, env=variables, cwd=ROOT, check=False).returncode
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
