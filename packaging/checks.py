"""All checks of the project, in one table, run one after another to the end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from environment import clean_environment

#: Where tests make objects of Qt.
WITH_WINDOW: Final = ("tests/ui", "tests/runtime", "tests/enginehost", "tests/score/engraving/test_qt.py")


@dataclass(frozen=True)
class Check:
    """One check: its name, and the command that ends with 0 when all is well."""

    name: str
    command: tuple[str, ...]


def table(python: Path, pytest_arguments: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks in their order, quick ones first; pytest runs last, so that its closing line ends the output."""
    run = (str(python), "-m")
    # import-linter has no `-m` form, and its script names the interpreter in a way that long paths break.
    imports = "from importlinter.cli import lint_imports_command as main; main()"
    return (
        Check("ruff check", (*run, "ruff", "check", ".")),
        Check("ruff format", (*run, "ruff", "format", "--check", ".")),
        Check("mypy", (*run, "mypy")),
        Check("import-linter", (str(python), "-c", imports, "--no-logo")),
        *_tests((*run, "pytest"), pytest_arguments),
    )


def _tests(pytest: tuple[str, ...], arguments: Sequence[str]) -> tuple[Check, ...]:
    """The tests in two processes: what has a window in one, all else in another; one for a choice of one's own.

    Python may free an object in any thread, and one of Qt's freed outside of the window's thread can end the process:
    tests that start threads of their own must not find any lying about.
    """
    if arguments:
        return (Check("pytest", (*pytest, *arguments)),)
    without = tuple(f"--ignore={place}" for place in WITH_WINDOW)
    return (Check("pytest", (*pytest, *without)), Check("pytest with a window", (*pytest, *WITH_WINDOW)))


def environment_of_tests(variables: Mapping[str, str]) -> dict[str, str]:
    """One thread for the small matrices of the test model: more cost time, and results must not hang on the machine."""
    return {"OMP_NUM_THREADS": "1"} | clean_environment(variables)


def run_all(checks: Sequence[Check], root: Path) -> int:
    """Run every check, whatever the others said; 0 if all passed, else 1, with the failed ones named at the end."""
    failed = []
    for check in checks:
        print(f"\n== {check.name}", flush=True)
        done = subprocess.run(check.command, cwd=root, env=environment_of_tests(os.environ), check=False)
        if done.returncode != 0:
            failed.append(f"{check.name} (exit {done.returncode})")
    print(f"\nFailed: {', '.join(failed)}" if failed else f"\nAll {len(checks)} checks passed.")
    return 1 if failed else 0
