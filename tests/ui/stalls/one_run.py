"""One run, in a process of its own as the program is one: a window, somebody busy at it, and the meter.

`python -m tests.ui.stalls.one_run MODELS TAKES`; the last line on stdout is JSON, a `Measured` for each thing done.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.pace import pace
from tests.ui.stalls.meter import Longest, Meter
from tests.ui.stalls.waiting import until, wait
from tests.ui.stalls.watch import telling_stacks
from yue2_desktop import paths
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.settings import Settings
from yue2_desktop.song.document import SongDocument
from yue2_desktop.ui.arrival import FirstPaint
from yue2_desktop.ui.compose import compose
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.garbage import GarbageInWindow
from yue2_desktop.ui.theme.applied import Theme
from yue2_desktop.ui.turns import take_short_turns

#: Set by `packaging/window_stalls.py --stacks`.
STACKS = "YUE2_STALL_STACKS"


@dataclass(frozen=True)
class Measured:
    """What the meter says of one thing that was done, and the machine's `pace` about that time (1 where it is idle)."""

    what: str
    longest: Longest
    pace: float


def main(models: Path, takes: Path) -> None:
    """Opens the window as the program does, and closes it when all is done."""
    take_short_turns()
    app = QApplication([])
    theme = Theme(app)
    garbage = GarbageInWindow(app)
    settings = Settings(models_folder=models, output_folder=takes)
    desk = compose(settings, theme=theme, at_once=False)
    desk.settled.connect(garbage.keep)
    desk.window.resize(1440, 900)
    desk.session.load(_song())
    found = [_opened(desk), *_watched(desk)]
    desk.session.load(SongDocument())  # or it would be asked what is to become of the other one
    assert desk.window.close()
    for gone in (desk.window, desk):
        gone.deleteLater()
    wait(0.05)
    garbage.let_go()
    print(json.dumps([asdict(one) for one in found]), flush=True)


def _opened(desk: Desk) -> Measured:
    before, meter, paint = pace(), Meter(), FirstPaint(desk.window)
    paint.painted.connect(meter.begin)
    with _told(meter):
        desk.show()
        until(lambda: desk.window.status.engine_text == "engine ready")
        wait(0.5)
    meter.stop()
    return Measured("the window opens, once painted", meter.longest, statistics.fmean((before, pace())))


def _told(meter: Meter) -> AbstractContextManager[None]:
    return telling_stacks(meter) if os.environ.get(STACKS) else nullcontext()


def _watched(desk: Desk) -> Iterator[Measured]:
    # Nothing of the panels is imported before: the window has to do that while it opens.
    from tests.ui.stalls.busy_user import BusyUser

    user, meter = BusyUser(desk), Meter()
    todo: dict[str, Callable[[], None]] = {
        "settings change, planned anew": user.plans_otherwise,
        "a score is written": user.writes_a_score,
        "a take is rendered": user.renders_and_types_on,
        "104 bars: opened": user.opens_the_long_score,
        "104 bars: typed into": user.types_into_the_long_score,
        "104 bars: changed": user.changes_the_long_score,
        "104 bars: previewed": user.hears_the_long_score,
    }
    for what, do in todo.items():
        wait(0.3)
        before = pace()
        wait(0.02)
        with _told(meter):
            meter.begin()
            do()
            wait(0.2)
        longest = meter.longest
        yield Measured(what, longest, statistics.fmean((before, pace())))
    meter.stop()


def _song() -> SongDocument:
    """The first example, made short; its score is still to be written."""
    song = load_examples(paths.resources() / "examples")[0]
    return replace(song, render=replace(song.render, max_frames=250, ode_steps=8), score=None)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
