"""Whether every dependency has a wheel for every system and Python that is supported: `python packaging/wheels.py`.

Asks the package index, so it is run before a release and not by the tests. pip judges markers by the system that it
runs on, so torch, whose own requirements differ between systems, is asked for alone where that is another one.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PYTHONS: Final = ("3.11", "3.12", "3.13")
_GLIBC: Final = (17, 24, 26, 27, 28, 31, 34)
PLATFORMS: Final = {
    "windows": ("win_amd64",),
    "linux": ("manylinux2014_x86_64", *(f"manylinux_2_{minor}_x86_64" for minor in _GLIBC)),
}


def requirements(pyproject: Path) -> list[str]:
    """What a plain `pip install .` installs."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    return list(project["dependencies"])


def commands(needed: Sequence[str], system: str, python: str, *, here: str) -> list[list[str]]:
    """The calls of pip that say whether `needed` can be had for a system and a Python, run on the system `here`."""
    base = [
        sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--only-binary=:all:",
        "--target", tempfile.gettempdir(), "--implementation", "cp", "--python-version", python,
        *(part for platform in PLATFORMS[system] for part in ("--platform", platform)),
    ]  # fmt: skip
    if system == here:
        return [[*base, *needed]]
    alone = [one for one in needed if one.startswith("torch")]
    return [[*base, *(one for one in needed if one not in alone)], [*base, "--no-deps", *alone]]


def main() -> int:
    """One line for each system and Python; 0 where all can be installed."""
    needed = requirements(ROOT / "pyproject.toml")
    here = "windows" if sys.platform == "win32" else "linux"
    missing = 0
    for system in PLATFORMS:
        for python in PYTHONS:
            errors = ""
            for command in commands(needed, system, python, here=here):
                done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
                if done.returncode != 0:
                    errors += done.stderr
            said = [line for line in errors.splitlines() if line.startswith("ERROR")]
            print(f"{system:<8} Python {python}: {'; '.join(said) if said else 'all wheels are there'}", flush=True)
            missing += bool(errors)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
