"""The window does not keep its user waiting while songs are planned, rendered, edited and heard; and who measures it.

`packaging/window_stalls.py` runs this alone and shows its table.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.ui.stalls.meter import Longest, Meter, Reading
from tests.ui.stalls.one_run import Measured
from yue2_desktop.engine.weights.testmodel import TestModel

_ROOT = Path(__file__).resolve().parents[2]
#: What the event loop may be away for on an idle machine of two cores; the median of so many runs counts.
LIMIT_S, RUNS = 0.060, 3
#: Runs that take the place of earlier ones where another program had the core meanwhile.
MORE_RUNS = 3

Run = list[Measured]


def one_run(models: Path, place: Path) -> Run:
    """A window in a process of its own, with a home of its own in `place`."""
    variables = {name: value.replace(str(Path.home()), str(place)) for name, value in os.environ.items()}
    # The engine takes the cores that it takes of a user's machine, and modules are compiled as in an installation.
    for name in ("OMP_NUM_THREADS", "PYTHONDONTWRITEBYTECODE"):
        variables.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.stalls.one_run", str(models), str(place / "takes")],
        cwd=_ROOT,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    print(done.stderr, end="")
    assert done.returncode == 0, done.stderr
    return [Measured(one["what"], Longest(**one["longest"]), one["pace"]) for one in json.loads(done.stdout)]


def median(runs: Sequence[Run], number: int, of: Callable[[Measured], float]) -> float:
    return statistics.median(of(run[number]) for run in runs)


def too_long(runs: Sequence[Run], of: Callable[[Measured], float]) -> list[str]:
    """What the window was away for too long in, for a machine as quick as this one was."""
    return [
        one.what
        for number, one in enumerate(runs[0])
        if median(runs, number, lambda measured: of(measured) / measured.pace) > LIMIT_S
    ]


def table(runs: Sequence[Run]) -> str:
    lines = [f"{'longest gap of a 10 ms timer, ms':<32} median  own work  pace   each (of it waiting for a core)"]
    for number, one in enumerate(runs[0]):
        gap, busiest = (1000 * median(runs, number, of) for of in (gap_of, lambda run: run.longest.busiest))
        pace = max(run[number].pace for run in runs)
        each = "  ".join(f"{_ms(run[number].longest.gap)} ({_ms(run[number].longest.waited)})" for run in runs)
        lines.append(f"{one.what:<32} {gap:>6.0f}  {busiest:>8.0f}  {pace:>4.1f}   {each}")
    return "\n".join(lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f}"


def gap_of(one: Measured) -> float:
    return one.longest.gap


def gap_but_for_others(one: Measured) -> float:
    """Without the time in which the window would have worked but no core was free."""
    return one.longest.gap - one.longest.waited


def test_the_event_loop_is_never_away_for_long(test_model: TestModel, tmp_path: Path) -> None:
    """Without a sleep, a loop or a wait in a slot: the real window, the real engine's process, the test model.

    Where other programs had the core, which the system tells, newer runs take the place of the oldest.
    """
    runs: list[Run] = []
    while True:
        place = tmp_path / f"run {len(runs)}"
        place.mkdir()
        runs.append(one_run(test_model.model_dir.parent, place))
        last = runs[-RUNS:]
        if len(last) == RUNS:
            late = too_long(last, gap_of)
            if not late or too_long(last, gap_but_for_others) or len(runs) == RUNS + MORE_RUNS:
                break
    print(f"\n{table(last)}\nlimit {_ms(LIMIT_S)} ms times the pace; {len(runs)} runs, the last {RUNS} shown")
    assert late == [], table(last)


def reading(wall: float, worked: float = 0.0, waited: float = 0.0) -> Reading:
    return Reading(wall, worked, waited)


def test_the_longest_gap_is_kept_with_what_was_waited_in_it() -> None:
    first = Longest().and_then(reading(1.0), reading(1.07, 0.02, 0.04))
    later = first.and_then(reading(1.07, 0.02, 0.04), reading(1.12, 0.07, 0.04))
    assert (later.gap, later.waited, later.busiest) == pytest.approx((0.07, 0.04, 0.05))


def sleeps() -> None:
    time.sleep(0.1)


def works() -> None:
    end = time.thread_time() + 0.1
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize(("stall", "busy"), [(sleeps, False), (works, True)])
def test_a_slot_that_stalls_is_seen(qtbot: QtBot, stall: Callable[[], None], busy: bool) -> None:
    meter = Meter()
    done: list[bool] = []

    def slot() -> None:
        stall()
        done.append(True)

    QTimer.singleShot(25, slot)
    qtbot.waitUntil(lambda: bool(done))
    meter.stop()
    assert meter.longest.gap >= 0.1
    assert (meter.longest.busiest >= 0.1) == busy
    assert too_long([[Measured("stalled", meter.longest, 1.0)]] * RUNS, gap_of) == ["stalled"]
    meter.begin()
    assert meter.longest == Longest()


def test_a_machine_that_is_slow_and_one_bad_run_of_three_are_borne() -> None:
    fine, bad = (Measured("one", Longest(gap=gap), 1.0) for gap in (0.050, 0.110))
    assert too_long([[fine], [bad], [fine]], gap_of) == []
    assert too_long([[bad], [bad], [fine]], gap_of) == ["one"]
    slow = Measured("one", bad.longest, 2.0)
    assert too_long([[slow]] * RUNS, gap_of) == []
    robbed = Measured("one", Longest(gap=0.110, waited=0.090), 1.0)
    assert too_long([[robbed]] * RUNS, gap_of) == ["one"]
    assert too_long([[robbed]] * RUNS, gap_but_for_others) == []
