"""What is asked of the package index before a release (user-reports.md, row 41)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ["torch>=2.7,<2.14", "numpy>=1.26"]


@pytest.fixture
def wheels(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("wheels")


def test_row_41_every_dependency_of_the_project_is_asked_for(wheels: ModuleType) -> None:
    needed = wheels.requirements(ROOT / "pyproject.toml")
    assert any(one.startswith("torch") for one in needed)
    assert any(one.startswith("PySide6") for one in needed)
    # Markers would be judged by the system that pip runs on: there are none to misjudge.
    assert not [one for one in needed if ";" in one]


def test_the_pythons_are_those_that_the_project_names(wheels: ModuleType) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert list(wheels.PYTHONS) == re.findall(r"Python :: (3\.\d+)\"", text)


@pytest.mark.parametrize("system", ["windows", "linux"])
def test_torch_is_asked_for_alone_on_another_system(wheels: ModuleType, system: str) -> None:
    (whole,) = wheels.commands(NEEDED, system, "3.12", here=system)
    assert whole[-2:] == NEEDED
    assert "--dry-run" in whole
    other = "linux" if system == "windows" else "windows"
    rest, alone = wheels.commands(NEEDED, system, "3.12", here=other)
    assert rest[-1] == "numpy>=1.26"
    assert "torch>=2.7,<2.14" not in rest
    assert alone[-2:] == ["--no-deps", "torch>=2.7,<2.14"]
    assert all(platform in rest for platform in wheels.PLATFORMS[system])
