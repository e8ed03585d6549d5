"""The choice of a Python: supported versions, commands that only look like one, the sentence when there is none."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("version", "bits", "supported"),
    [((3, 10), 64, False), ((3, 11), 64, True), ((3, 13), 64, True), ((3, 14), 64, False), ((3, 12), 32, False)],
)
def test_supported_versions(interpreters: ModuleType, version: tuple[int, int], bits: int, supported: bool) -> None:
    assert interpreters.is_supported(interpreters.Interpreter(version, bits)) is supported


def test_the_range_is_that_of_the_project(interpreters: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, too_new = interpreters.OLDEST, interpreters.TOO_NEW
    assert project["requires-python"] == f">={oldest[0]}.{oldest[1]},<{too_new[0]}.{too_new[1]}"


def test_windows_asks_its_launcher_first(interpreters: ModuleType) -> None:
    assert interpreters.candidates(windows=True)[0] == ["py", "-3.11"]
    assert interpreters.candidates(windows=False) == [["python3.11"], ["python3.12"], ["python3.13"]]


def test_the_first_that_starts_is_taken(interpreters: ModuleType) -> None:
    answers = {"a": None, "b": interpreters.Interpreter((3, 9), 64), "c": interpreters.Interpreter((3, 12), 64)}
    assert interpreters.find_supported([["a"], ["b"], ["c"]], lambda command: answers[command[0]]) == ["c"]
    assert interpreters.find_supported([["a"], ["b"]], lambda command: answers[command[0]]) is None


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand for shims")
@pytest.mark.parametrize("script", ["exit 127", "echo hello", "echo 3 12"])
def test_a_shim_that_starts_no_python_is_passed_over(
    interpreters: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreters.find_supported([["python3.12"]]) is None
    assert interpreters.find_supported([["python3.12"], [sys.executable]]) == [sys.executable]


def test_what_is_missing_is_said_in_a_sentence(interpreters: ModuleType) -> None:
    sentence = interpreters.what_is_missing(interpreters.Interpreter((3, 9), 32, "/usr/bin/python3"))
    assert "needs a 64-bit Python 3.11 to 3.13; this is a 32-bit Python 3.9 (/usr/bin/python3)" in sentence
    assert "apt-get install python3" in sentence
    assert "winget install" in sentence


@pytest.mark.parametrize("module", ["dev.py", "interpreters.py"])
def test_old_pythons_can_read_what_they_are_given(module: str) -> None:
    """An old Python must get as far as the sentence; ast refuses syntax that is newer than asked for."""
    code = (
        "import ast, pathlib, sys\n"
        "ast.parse(pathlib.Path(sys.argv[1]).read_text(encoding='utf-8'), feature_version=(3, 8))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(ROOT / "packaging" / module)], check=False)
    assert done.returncode == 0
