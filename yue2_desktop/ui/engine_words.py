"""The engine's state and a job's progress, in the words of the status bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.runtime.engine_process import EngineState
from yue2_desktop.ui.takes.rows import JobRow
from yue2_desktop.ui.takes.words import line_words

_CONTEXT: Final = "Engine"
_STATES: Final = {
    EngineState.IDLE: QT_TRANSLATE_NOOP(_CONTEXT, "engine not started"),
    EngineState.STARTING: QT_TRANSLATE_NOOP(_CONTEXT, "engine starting…"),
    EngineState.READY: QT_TRANSLATE_NOOP(_CONTEXT, "engine ready"),
    EngineState.BUSY: QT_TRANSLATE_NOOP(_CONTEXT, "rendering"),
    EngineState.STOPPING: QT_TRANSLATE_NOOP(_CONTEXT, "cancelling…"),
    EngineState.DEAD: QT_TRANSLATE_NOOP(_CONTEXT, "engine ended"),
}
#: What the engine does is more than that nothing follows it.
_WORKS: Final = frozenset({EngineState.BUSY, EngineState.STOPPING})


def engine_words(state: EngineState, *, paused: bool = False) -> str:
    """The state, in two words; where nothing is being made, also that the queue is `paused`."""
    words = _tr(str(_STATES[state]))
    if paused and state not in _WORKS:
        return _tr("{engine}, the queue is paused").format(engine=words)
    return words


def progress_words(job: Job) -> str:
    """How far a job is, in the words of its row: `singing 1,204 of ~4,000 tokens, about 3 min left`.

    Empty for one that does not run, or of which nothing is known yet.
    """
    if job.state is not JobState.RUNNING or job.standing is None:
        return ""
    said = line_words(JobRow(job, job.standing))
    return ", ".join(part for part in (said.text, said.time) if part)


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
