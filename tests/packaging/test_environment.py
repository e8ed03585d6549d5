"""The set-up of `.venv` with pip and venv stood in for: the order, the notes, the repairs, the sentences."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

PROJECT = """
[build-system]
requires = ["hatchling>=1"]
[project]
dependencies = ["numpy>=1"]
[project.optional-dependencies]
dev = ["pytest>=8"]
"""


class FakeRun:
    """Stands in for subprocess.run: notes each command in words, and fails or stops at the one it is told to."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.fails = ""
        self.stops = ""

    def __call__(self, command: list[object], **options: object) -> SimpleNamespace:
        words = [str(word) for word in command]
        if "-c" in words:
            return subprocess.CompletedProcess(words, 0, stdout=f"3 12 True {Path(words[0]).parents[1]}\n")
        if words[-1].endswith(".whl"):
            return SimpleNamespace(returncode=0)
        what = "venv" if "venv" in words else "project" if "hatchling" in words else "dependencies"
        self.did.append(what)
        if what == self.stops:
            raise KeyboardInterrupt
        if what == "venv":
            python = Path(words[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True, exist_ok=True)
            python.touch()
        if what == "project":
            (Path(words[-1]) / "yue2_desktop.whl").touch()
        return SimpleNamespace(returncode=1 if what == self.fails else 0, stdout=b"why it failed")


@pytest.fixture
def run(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> FakeRun:
    fake = FakeRun()
    monkeypatch.setattr(environment.subprocess, "run", fake)
    monkeypatch.setattr(environment, "python_of", lambda venv: venv / "bin" / "python")
    monkeypatch.setattr(environment.system_packages, "ensure", lambda set_up: None)
    return fake


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "my songs ☃"
    (root / "yue2_desktop").mkdir(parents=True)
    (root / "packaging").mkdir()
    for name in ("README.md", "LICENSE", "packaging/THIRD_PARTY_NOTICES.md", "yue2_desktop/__init__.py"):
        (root / name).write_text("", encoding="utf-8")
    (root / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return root


def test_a_fresh_checkout_is_set_up_and_a_second_run_does_nothing(environment, run, root) -> None:
    assert environment.set_up(root, for_tests=True) == root / ".venv" / "bin" / "python"
    assert run.did == ["venv", "dependencies", "project"]
    environment.set_up(root, for_tests=True)
    environment.set_up(root, for_tests=False)
    assert run.did == ["venv", "dependencies", "project"]


def test_only_what_changed_is_done(environment, run, root) -> None:
    environment.set_up(root, for_tests=False)
    run.did.clear()
    environment.set_up(root, for_tests=True)
    assert run.did == ["dependencies"], "the tests need more"
    run.did.clear()
    (root / "yue2_desktop" / "__init__.py").write_text("1", encoding="utf-8")
    environment.set_up(root, for_tests=True)
    assert run.did == ["project"]
    run.did.clear()
    (root / "pyproject.toml").write_text(PROJECT.replace("numpy>=1", "numpy>=2"), encoding="utf-8")
    environment.set_up(root, for_tests=True)
    assert run.did == ["dependencies", "project"]


@pytest.mark.parametrize("step", ["venv", "dependencies"])
def test_a_set_up_that_was_stopped_is_begun_again(environment, run, root, step) -> None:
    run.stops = step
    with pytest.raises(KeyboardInterrupt):
        environment.set_up(root, for_tests=False)
    run.stops = ""
    run.did.clear()
    environment.set_up(root, for_tests=False)
    assert run.did == ["venv", "dependencies", "project"]


def test_a_project_install_that_was_stopped_is_done_again(environment, run, root) -> None:
    run.stops = "project"
    with pytest.raises(KeyboardInterrupt):
        environment.set_up(root, for_tests=False)
    run.stops = ""
    run.did.clear()
    environment.set_up(root, for_tests=False)
    assert run.did == ["project"]


@pytest.mark.parametrize(
    ("step", "sentence", "again"),
    [
        ("venv", "Python could not make", ["venv", "dependencies", "project"]),
        ("dependencies", "pip could not install what the program needs", ["dependencies", "project"]),
        ("project", "could not be built from this checkout", ["project"]),
    ],
)
def test_a_step_that_fails_says_so_and_the_next_run_goes_on(
    environment, run, root, capsys, step, sentence, again
) -> None:
    run.fails = step
    with pytest.raises(environment.SetUpError, match=sentence):
        environment.set_up(root, for_tests=False)
    assert ("why it failed" in capsys.readouterr().err) == (step == "project"), "the others print for themselves"
    run.fails = ""
    run.did.clear()
    environment.set_up(root, for_tests=False)
    assert run.did == again


def test_a_moved_checkout_gets_a_new_folder(environment, run, root, tmp_path) -> None:
    environment.set_up(root, for_tests=False)
    (root / ".venv" / "old-file").touch()
    root.rename(tmp_path / "moved")
    run.did.clear()
    environment.set_up(tmp_path / "moved", for_tests=False)
    assert run.did == ["venv", "dependencies", "project"]
    assert not (tmp_path / "moved" / ".venv" / "old-file").exists()


def test_a_folder_that_lost_its_python_is_made_anew(environment, run, root) -> None:
    environment.set_up(root, for_tests=False)
    (root / ".venv" / "bin" / "python").unlink()
    run.did.clear()
    environment.set_up(root, for_tests=False)
    assert run.did == ["venv", "dependencies", "project"]


def test_a_missing_system_package_stops_before_anything_is_made(environment, run, root, monkeypatch) -> None:
    monkeypatch.setattr(environment.system_packages, "ensure", lambda set_up: "The system lacks X." if set_up else None)
    with pytest.raises(environment.SetUpError, match="lacks X"):
        environment.set_up(root, for_tests=False)
    assert run.did == []
    assert not (root / ".venv").exists()


def test_a_real_environment_works_and_others_do_not(environment, tmp_path) -> None:
    venv = tmp_path / "with space ☃" / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    assert not environment._works(venv), "no pip"
    (site,) = venv.rglob("site-packages")
    (site / "pip.py").write_text("", encoding="utf-8")
    assert environment._works(venv)
    assert not environment._works(tmp_path / "nothing here")


def test_variables_that_mislead_pip_or_python_are_left_out(environment) -> None:
    user = {"PATH": "/bin", "PYTHONPATH": "/x", "PIP_USER": "1", "PYTHONUTF8": "1", "PIP_INDEX_URL": "https://mirror"}
    kept = environment.clean_environment(user)
    assert kept == {"PATH": "/bin", "PIP_INDEX_URL": "https://mirror", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def test_the_python_of_an_environment_is_where_the_system_puts_it(environment) -> None:
    assert environment.python_of(Path(sys.prefix)).exists() or sys.prefix == sys.base_prefix
    assert ("Scripts" in str(environment.python_of(Path("x")))) == (os.name == "nt")
