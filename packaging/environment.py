"""The checkout's `.venv`: made, filled, mended, and left alone when nothing has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

import interpreters
import system_packages
from set_up_plan import State, Step, Wanted, plan, read_state, requirements, tree_hash, write_state

#: Variables that would lead Python or pip out of `.venv`, or hide how the program behaves without them.
_FOREIGN = (
    "PYTHONHOME", "PYTHONPATH", "PYTHONUTF8", "PYTHONSAFEPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__",
    "PIP_PREFIX", "PIP_TARGET", "PIP_USER", "PIP_REQUIRE_VIRTUALENV",
)  # fmt: skip


class SetUpError(Exception):
    """The set-up could not be finished; the message says why and what to do."""


def clean_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables for everything that runs in `.venv`: the user's, without those that would mislead it."""
    kept = {name: value for name, value in variables.items() if name not in _FOREIGN}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def python_of(venv: Path) -> Path:
    """The interpreter inside a virtual environment."""
    return venv / "Scripts" / "python.exe" if os.name == "nt" else venv / "bin" / "python"


def set_up(root: Path, *, for_tests: bool) -> Path:
    """Bring `.venv` in step with the checkout and return its Python; says what it does, and nothing if nothing.

    Raises SetUpError.
    """
    venv = root / ".venv"
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = Wanted(os.path.normcase(venv), requirements(project, for_tests=for_tests), tree_hash(root))
    steps = plan(read_state(venv), wanted, works=_works(venv))
    sentence = system_packages.ensure(set_up=Step.MAKE in steps)
    if sentence:
        raise SetUpError(sentence)
    for step in steps:
        _DO[step](venv, wanted, root)
    return python_of(venv)


def _works(venv: Path) -> bool:
    """Whether `.venv` has a supported Python that starts, is at home there, and has pip."""
    python = python_of(venv)
    if not python.exists():
        return False
    probe = "import sys, pip; print(sys.version_info[0], sys.version_info[1], sys.maxsize > 2**32, sys.prefix)"
    try:
        done = subprocess.run(
            [python, "-I", "-X", "utf8", "-c", probe], capture_output=True, encoding="utf-8", timeout=120, check=True
        )
        major, minor, wide, prefix = done.stdout.rstrip("\r\n").split(" ", 3)
    except (OSError, subprocess.SubprocessError, ValueError):
        return False
    found = interpreters.Interpreter((int(major), int(minor)), 64 if wide == "True" else 32)
    return bool(interpreters.is_supported(found)) and os.path.realpath(prefix) == os.path.realpath(venv)


def _make(venv: Path, wanted: Wanted, root: Path) -> None:
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        print(f"Removing {venv}, which is unfinished, was moved, or lost its Python")
        shutil.rmtree(venv)
    print(f"Making {venv}")
    venv.mkdir()
    # Noted before it is begun: whoever finds this folder half made knows that it is.
    write_state(venv, State(location=wanted.location, interrupted=True))
    base = getattr(sys, "_base_executable", None) or sys.executable
    _run([base, "-m", "venv", str(venv)], root, f"Python could not make {venv}; the lines above say why.")


def _install_dependencies(venv: Path, wanted: Wanted, root: Path) -> None:
    print("Installing what the program needs; the first time this fetches some hundred megabytes (torch)")
    before = read_state(venv)
    write_state(venv, State(location=wanted.location, interrupted=True))
    try:
        _run(
            [*_pip(venv), "install", *wanted.requirements],
            root,
            "pip could not install what the program needs; its lines above say why. Without a network nothing can "
            "be fetched; with one, run the same command again.",
        )
    except SetUpError:
        # pip ended by itself and took back what it had begun, so the folder is as good as it was.
        write_state(venv, State(location=wanted.location, project=before.project))
        raise
    write_state(venv, State(location=wanted.location, requirements=wanted.requirements, project=before.project))


def _install_project(venv: Path, wanted: Wanted, root: Path) -> None:
    print("Installing YuE2 Desktop itself")
    now = read_state(venv)
    write_state(venv, State(location=wanted.location, requirements=now.requirements))
    # Not editable: the .pth file of an editable install is read in the code page of a Windows machine, which breaks
    # in a folder with other letters. And a wheel first: pip takes a folder named "songs [1]" for one with extras.
    with tempfile.TemporaryDirectory() as folder:
        build = [str(python_of(venv)), "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        _run(build, root, "The program could not be built from this checkout; the lines above say why.")
        wheels = [str(wheel) for wheel in Path(folder).glob("*.whl")]
        install = [*_pip(venv), "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", *wheels]
        _run(install, root, "pip could not install the program; its lines above say why.")
    write_state(venv, State(wanted.location, now.requirements, wanted.project))


_DO = {Step.MAKE: _make, Step.DEPENDENCIES: _install_dependencies, Step.PROJECT: _install_project}


def _pip(venv: Path) -> list[str]:
    return [str(python_of(venv)), "-m", "pip"]


def _run(command: list[str], root: Path, sentence: str) -> None:
    # pip's progress is for the user's eyes; what the build says of itself is only wanted when it fails.
    kept = subprocess.PIPE if "hatchling" in command else None
    done = subprocess.run(
        command,
        cwd=root,
        env=clean_environment(os.environ),
        stdout=kept,
        stderr=kept and subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        if kept:
            print(done.stdout.decode("utf-8", "replace"), file=sys.stderr)
        raise SetUpError(sentence)
