"""What an error that leaves a stage still holds: nothing of the stage's tensors, however long somebody keeps it."""

from __future__ import annotations

import sys
import traceback
from types import FrameType

from yue2_desktop.song.errors import Problem


def let_go_of_tensors(error: BaseException) -> None:
    """Cuts off the calls in which the error, and what caused it, arose; only those that still run stay in its trace.

    A trace keeps the variables of its calls alive, and what their functions were closed over: a whole half of the
    model, just when its memory is wanted for a second try. What is cut off is told in a note of the error, in words;
    a `Problem` needs none.
    """
    running = _running()
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        _cut(link, running)
        link = link.__cause__ or link.__context__


def _cut(error: BaseException, running: set[int]) -> None:
    kept, lost = None, error.__traceback__
    while lost is not None and id(lost.tb_frame) in running:
        kept, lost = lost, lost.tb_next
    if lost is None:
        return
    if not isinstance(error, Problem):
        error.add_note("It arose in calls that are over:\n" + "".join(traceback.format_tb(lost)).rstrip())
    traceback.clear_frames(lost)
    if kept is None:
        error.__traceback__ = None
    else:
        kept.tb_next = None


def _running() -> set[int]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to the frames that run
    found: set[int] = set()
    while frame is not None:
        found.add(id(frame))
        frame = frame.f_back
    return found
