"""The modules of packaging/, which import each other by their bare names as dev.py starts them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"
NAMES = [path.stem for path in FOLDER.glob("*.py")]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Import a module of packaging/ by name; afterwards none of them is left in sys.modules."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.fixture
def interpreters(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("interpreters")


@pytest.fixture
def set_up_plan(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("set_up_plan")


@pytest.fixture
def environment(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("environment")


@pytest.fixture
def system_packages(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("system_packages")


@pytest.fixture
def checks(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("checks")


@pytest.fixture
def first_song(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("first_song")


@pytest.fixture
def window(load: Callable[[str], ModuleType]) -> ModuleType:
    return load("window")
