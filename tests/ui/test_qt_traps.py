"""The traps of Qt's binding that this program steers clear of (spec/qt-and-packaging.md)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_EMITS = """
from PySide6.QtCore import QObject, Signal, Slot
class Sender(QObject):
    flag = Signal(bool)
class Hearer(QObject):
    count = 0
    @Slot(bool)
    def heard(self, value): self.count += value
sender, hearer = Sender(), Hearer()
sender.flag.connect(hearer.heard)
for _ in range(100_000): sender.flag.emit(True)
print(hearer.count)
"""


def test_a_hundred_thousand_emits() -> None:
    """Trap 1: PySide6 6.12.0 aborts after some 500 of them on Python 3.11."""
    done = subprocess.run([sys.executable, "-c", _EMITS], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "100000"), done.stderr


def test_the_window_never_imports_torch() -> None:
    """Trap 2: on Windows torch may fail to import once Qt's libraries are loaded."""
    code = (
        "import importlib, pkgutil, sys, yue2_desktop.ui as ui\n"
        "names = [m.name for m in pkgutil.walk_packages(ui.__path__, ui.__name__ + '.')]\n"
        "[importlib.import_module(name) for name in names]\n"
        "print(len(names), [name for name in ('torch', 'safetensors', 'gguf') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, cwd=_ROOT
    )
    assert done.returncode == 0, done.stderr
    count, found = done.stdout.split(maxsplit=1)
    assert int(count) > 5
    assert found.strip() == "[]"
