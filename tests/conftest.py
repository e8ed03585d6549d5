"""What every test is given: folders of its own for settings and data, and the test model on request."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from yue2_desktop.engine.weights.testmodel import TestModel, materialise

# One process has one Qt application, whichever test asks for it first.
os.environ["QT_QPA_PLATFORM"] = "offscreen"


@pytest.fixture(autouse=True)
def _fresh_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fresh home and XDG (or AppData) folders, so that no test reads or writes the developer's own."""
    home = tmp_path_factory.mktemp("home")
    folders = {
        "HOME": home,
        "USERPROFILE": home,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_MUSIC_DIR": home / "Music",
        "APPDATA": home / "AppData" / "Roaming",
        "LOCALAPPDATA": home / "AppData" / "Local",
    }
    for name, folder in folders.items():
        monkeypatch.setenv(name, str(folder))
    return home


@pytest.fixture(autouse=True)
def _garbage_in_this_thread() -> Iterator[None]:
    """Where there is a window, what is left over is freed between tests in the window's own thread, and only there."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        yield
        return
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(scope="session")
def test_model(tmp_path_factory: pytest.TempPathFactory) -> TestModel:
    """The built-in test model, materialised once; tests read it and never write into it."""
    return materialise(tmp_path_factory.mktemp("test-model"))
