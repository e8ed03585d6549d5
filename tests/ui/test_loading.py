"""What a window loads once it is painted: little of it in the window's own thread."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from yue2_desktop.ui import loading

_ROOT = Path(__file__).resolve().parents[2]
#: What each place loads, as JSON: first what is loaded beside the window, then the modules of each step.
_LOADS = """
import json, sys
import yue2_desktop.ui.app
from yue2_desktop.ui import loading

def new(load):
    before = set(sys.modules)
    load()
    return [name for name in sys.modules if name not in before]

print(json.dumps([new(loading.load_beside), *map(new, loading.panel_steps())]))
"""
#: Modules of ours without Qt that a step may load: dataclasses take their time, 24 modules took 21 ms.
_FEW = 5


@pytest.fixture(scope="module")
def loaded() -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _LOADS],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def is_of_the_window(name: str) -> bool:
    return name.partition(".")[0] in {"PySide6", "shiboken6"} or name.startswith("yue2_desktop.ui")


def test_no_qt_is_loaded_beside_the_window(loaded: list[list[str]]) -> None:
    assert [name for name in loaded[0] if is_of_the_window(name)] == []
    assert "torch" not in loaded[0]
    assert {*loading._BESIDE} <= {*loaded[0]}, "not there, or loaded before"


def test_steps_of_the_window_load_little_that_could_be_loaded_beside_it(loaded: list[list[str]]) -> None:
    for name, new in zip(loading._PANELS, loaded[1:], strict=True):
        without = [one for one in new if not is_of_the_window(one)]
        assert name in new
        assert len(without) <= _FEW, f"{name} loads {without}; what has no Qt in it belongs beside the window"


def test_what_cannot_be_loaded_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(loading, "_BESIDE", ("no_such_module_at_all", "json"))
    loading.load_beside()
    assert "no_such_module_at_all cannot be loaded" in caplog.text
