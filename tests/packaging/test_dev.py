"""dev.py itself: its two commands, the hand-over to a supported Python, and its exit statuses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def dev(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("dev")


@pytest.fixture
def too_old(dev: ModuleType, interpreters: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    old = interpreters.Interpreter((3, 9), 64, "/usr/bin/python3")
    monkeypatch.setattr(interpreters, "this_one", lambda: old)


def test_another_python_takes_over_with_the_same_words(dev, interpreters, too_old, monkeypatch) -> None:
    called = []
    monkeypatch.setattr(interpreters, "find_supported", lambda commands: ["py", "-3.12"])
    monkeypatch.setattr(dev.subprocess, "call", lambda command: called.append(command) or 7)
    assert dev.main(["test", "--", "-k", "song"]) == 7
    assert called == [["py", "-3.12", str(ROOT / "packaging" / "dev.py"), "test", "--", "-k", "song"]]


def test_without_any_supported_python_a_sentence_says_so(dev, interpreters, too_old, monkeypatch, capsys) -> None:
    monkeypatch.setattr(interpreters, "find_supported", lambda commands: None)
    assert dev.main(["run"]) == 1
    assert "needs a 64-bit Python 3.11 to 3.13" in capsys.readouterr().err


def test_a_failed_set_up_is_one_sentence_and_exit_1(dev, environment, monkeypatch, capsys) -> None:
    def fail(root: Path, *, for_tests: bool) -> Path:
        raise environment.SetUpError("The system lacks everything.")

    monkeypatch.setattr(environment, "set_up", fail)
    for command in ("run", "test"):
        assert dev.main([command]) == 1
        assert capsys.readouterr().err == "\nThe system lacks everything.\n"


def test_ctrl_c_is_130(dev, environment, monkeypatch) -> None:
    def stop(root: Path, *, for_tests: bool) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "set_up", stop)
    assert dev.main(["run"]) == 130


def test_words_after_the_dashes_go_to_pytest(dev, environment, checks, monkeypatch) -> None:
    ran = []
    monkeypatch.setattr(environment, "set_up", lambda root, *, for_tests: Path("python"))
    monkeypatch.setattr(checks, "run_all", lambda table, root: ran.append((table[-1].command, root)) or 1)
    assert dev.main(["test", "--", "-k", "song", "-x"]) == 1
    assert ran == [(("python", "-m", "pytest", "-k", "song", "-x"), ROOT)]


@pytest.mark.parametrize("arguments", [[], ["build"], ["run", "now"]])
def test_other_words_are_refused_with_the_usage(arguments: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "dev.py"), *arguments],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "usage: dev.py" in done.stderr


def test_it_needs_nothing_but_python() -> None:
    """A fresh machine has only the standard library: what dev.py imports may import nothing else."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "before = set(sys.modules)\n"
        "import checks, dev, environment, first_song, window\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    folder = ROOT / "packaging"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(folder)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert "environment" in loaded
    assert all((folder / f"{name}.py").is_file() for name in loaded), loaded
