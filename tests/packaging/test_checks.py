"""The checks: all run, the failed are named, pytest comes last and speaks last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_has_every_check_and_pytest_last(checks) -> None:
    table = checks.table(Path("python"), ["-k", "song"])
    names = [check.name for check in table]
    assert names == ["ruff check", "ruff format", "mypy", "import-linter", "pytest"]
    assert table[-1].command == ("python", "-m", "pytest", "-k", "song")


def test_what_has_a_window_is_tested_in_a_process_of_its_own(checks) -> None:
    *_, without, with_window = checks.table(Path("python"))
    assert with_window.command[3:] == checks.WITH_WINDOW
    assert without.command[3:] == tuple(f"--ignore={place}" for place in checks.WITH_WINDOW)
    for place in checks.WITH_WINDOW:
        assert (ROOT / place).exists()


def test_no_other_test_makes_objects_of_qt(checks) -> None:
    inside = tuple(str(ROOT / place) for place in checks.WITH_WINDOW)
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if not str(path).startswith(inside) and path != Path(__file__):
            assert "qtbot" not in text, path


def prints(checks, name: str, status: int) -> object:
    return checks.Check(name, (sys.executable, "-c", f"print('{name} ran'); raise SystemExit({status})"))


def test_a_failure_does_not_stop_the_others_and_is_named_at_the_end(checks, tmp_path, capfd) -> None:
    table = [prints(checks, "first", 0), prints(checks, "second", 3), prints(checks, "third", 0)]
    assert checks.run_all(table, tmp_path) == 1
    printed = capfd.readouterr().out
    assert all(f"{name} ran" in printed for name in ("first", "second", "third"))
    assert printed.splitlines()[-1] == "Failed: second (exit 3)"


def test_all_passed_is_said_in_one_line_below_the_last_check(checks, tmp_path, capfd) -> None:
    assert checks.run_all([prints(checks, "first", 0), prints(checks, "last", 0)], tmp_path) == 0
    assert capfd.readouterr().out.splitlines()[-3:] == ["last ran", "", "All 2 checks passed."]


def test_tests_run_without_utf8_mode_and_on_one_thread(checks) -> None:
    tests = checks.environment_of_tests({"PYTHONUTF8": "1", "PATH": "/bin"})
    assert "PYTHONUTF8" not in tests
    assert tests["OMP_NUM_THREADS"] == "1"
    assert checks.environment_of_tests({"OMP_NUM_THREADS": "2"})["OMP_NUM_THREADS"] == "2"


def test_ci_calls_the_one_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if line and not line.startswith("#")]
    assert told == ["set -eu", 'cd "$(dirname "$0")/.."', "exec python3 packaging/dev.py test"]


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("from pathlib import Path\n\nprint(Path('a').read_text())\n", "PLW1514"),
        ("print(open('a').read())\n", "PLW1514"),
        ("from pathlib import Path\n\nprint(Path('a').read_text(encoding='utf-8'))\n", None),
    ],
)
def test_text_opened_without_an_encoding_is_refused_by_the_linter(code: str, rule: str | None) -> None:
    """User reports, row 65: on Windows such text is read in the code page of the machine."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise", "--stdin-filename",
         "yue2_desktop/sample.py", "-"],
        cwd=ROOT, input=code, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    rules = [word for word in done.stdout.split() if word == "PLW1514" or "unspecified-encoding" in word]
    assert bool(rules) == bool(rule), done.stdout
