"""What is said of a render that the engine, or the card, died under: what happened, what is kept, how it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from yue2_desktop.engine.messages import Failed
from yue2_desktop.queue.job import Job
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.ui.take_folders import holds_something
from yue2_desktop.ui.takes.rows import JobRow
from yue2_desktop.ui.takes.words import name_of
from yue2_desktop.ui.window_words import in_window_words

#: Of these the job itself is innocent: what is made of it is good, and it can go on.
BREAKS = frozenset({ProblemKind.ENGINE_DIED.value, ProblemKind.DEVICE_LOST.value})


@dataclass(frozen=True)
class FaultWords:
    """`row` is for the job's own row, which has its button; `notice` for the line above the panels, which names it."""

    row: str
    notice: str


def fault_words(job: Job, failed: Failed) -> FaultWords:
    """What is said of a job that failed."""
    if failed.kind not in BREAKS:
        said = in_window_words(failed.sentence)
        return FaultWords(said, " ".join(part for part in (said, failed.kept) if part))
    what, name = _what(failed), name_of(JobRow(job))
    if holds_something(Path(job.folder)):
        row = _tr("{what} What was made is kept; press ↻ to go on.")
        notice = _tr("{what} What was made of “{name}” is kept; press ↻ in its row to go on from there.")
    else:
        row = _tr("{what} Nothing was made yet; press ↻ to begin again.")
        notice = _tr("{what} Nothing was made of “{name}” yet; press ↻ in its row to begin again.")
    return FaultWords(row.format(what=what), notice.format(what=what, name=name))


def going_on_words(job: Job, failed: Failed, *, paused: bool) -> str:
    """What is said of a job that is taken up again without being asked for; `paused` is the queue."""
    if paused:
        said = _tr("{what} “{name}” waits until the queue goes on.")
    elif holds_something(Path(job.folder)):
        said = _tr("{what} “{name}” goes on by itself from what was made of it.")
    else:
        said = _tr("{what} “{name}” is begun again by itself.")
    return said.format(what=_what(failed), name=name_of(JobRow(job)))


def left_behind(job: Job) -> Failed:
    """Why a job does not go on at the start of the program."""
    return Failed(job.id, ProblemKind.ENGINE_DIED.value, _tr("The program ended twice while this was made."))


def _what(failed: Failed) -> str:
    """What happened. The engine's own words for a lost card tell to begin again by hand, which is not so here."""
    if failed.kind == ProblemKind.DEVICE_LOST:
        return _tr(
            "The graphics card stopped answering (after a suspend, a reset of its driver, or a fault in a kernel)."
        )
    return in_window_words(failed.sentence)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Faults", text)
