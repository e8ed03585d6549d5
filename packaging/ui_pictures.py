"""Pictures of the window and its dialogs, light and dark, at 100 and 200 %, in English and in longer words.

Run it with the project's Python: `.venv/bin/python packaging/ui_pictures.py [FOLDER]`; they go into `build/pictures`.
No screen is needed, and nothing of the user's is read or written.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SCALES = ("1", "2")
_LANGUAGES = ("english", "long")
_CALL = "import ui_scenes, sys; ui_scenes.take(*sys.argv[1:])"


def main(arguments: list[str]) -> int:
    """Takes all pictures; one process a scale, since Qt reads it once, and a language."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for language in _LANGUAGES:
        running = [_begun(folder, scale, language) for scale in _SCALES]
        for process, home in running:
            status |= process.wait()
            home.cleanup()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return status


def _begun(folder: Path, scale: str, language: str) -> tuple[subprocess.Popen[bytes], tempfile.TemporaryDirectory[str]]:
    home = tempfile.TemporaryDirectory()
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": scale,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'packaging'}",
        **{f"XDG_{kind}_HOME": f"{home.name}/{kind}" for kind in ("CONFIG", "DATA", "CACHE", "STATE")},
        "XDG_MUSIC_DIR": f"{home.name}/Music",
        "HOME": home.name,
    }
    command = [sys.executable, "-c", _CALL, str(folder), home.name, scale, language]
    return subprocess.Popen(command, env=variables, cwd=ROOT), home


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
