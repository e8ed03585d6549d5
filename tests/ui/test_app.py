"""The application as a process: painted before anything heavy is loaded, and gone without a trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
#: Paints, says how long that took since Python began and what was loaded, and closes.
_OPENS = """
import sys, time, psutil
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from yue2_desktop.ui import app, window

class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and isinstance(watched, window.MainWindow):
            watched.removeEventFilter(self)
            process = psutil.Process()
            print(f"{time.time() - process.create_time():.2f} {sum(process.cpu_times()[:2]):.2f}", flush=True)
            print([name for name in ("torch", "numpy", "verovio", "tiktoken") if name in sys.modules], flush=True)
            QTimer.singleShot(1000, watched.close)
        return False

watching = Painted()
made = window.MainWindow.showEvent
def shown(self, event):
    self.installEventFilter(watching)
    made(self, event)
window.MainWindow.showEvent = shown
status = app.run(sys.argv[1:])
print("torch" in sys.modules, flush=True)
sys.exit(status)
"""
#: Seconds of the processor until the first paint. The aim is 1.5 on an idle machine; one that is shared by several
#: workers takes twice that of the processor for the same imports, and the wall clock says nothing there.
_FIRST_PAINT_S = 3.5


def test_the_first_paint_comes_early_and_without_torch() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _OPENS], cwd=_ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    times, loaded, torch_at_the_end = done.stdout.splitlines()
    assert float(times.split()[1]) < _FIRST_PAINT_S, times
    assert "torch" not in loaded
    assert "verovio" not in loaded
    assert torch_at_the_end == "False"
    assert "QThread" not in done.stderr
    assert "Traceback" not in done.stderr
