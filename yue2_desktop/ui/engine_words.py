"""The engine's state and a job's progress, in the words of the status bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from yue2_desktop.plan.sizes import duration
from yue2_desktop.queue.job import Job, JobState
from yue2_desktop.runtime.engine_process import EngineState

_CONTEXT: Final = "Engine"
_STATES: Final = {
    EngineState.IDLE: QT_TRANSLATE_NOOP(_CONTEXT, "engine not started"),
    EngineState.STARTING: QT_TRANSLATE_NOOP(_CONTEXT, "engine starting…"),
    EngineState.READY: QT_TRANSLATE_NOOP(_CONTEXT, "engine ready"),
    EngineState.BUSY: QT_TRANSLATE_NOOP(_CONTEXT, "rendering"),
    EngineState.STOPPING: QT_TRANSLATE_NOOP(_CONTEXT, "cancelling…"),
    EngineState.DEAD: QT_TRANSLATE_NOOP(_CONTEXT, "engine ended"),
}
_STAGES: Final = {
    "score": QT_TRANSLATE_NOOP(_CONTEXT, "writing the score"),
    "semantic": QT_TRANSLATE_NOOP(_CONTEXT, "singing"),
    "acoustic": QT_TRANSLATE_NOOP(_CONTEXT, "making the sound"),
    "decode": QT_TRANSLATE_NOOP(_CONTEXT, "writing the audio"),
}


def engine_words(state: EngineState) -> str:
    """The state, in two words."""
    return _tr(str(_STATES[state]))


def progress_words(job: Job) -> str:
    """How far a job is: `singing, 1,204 of 4,000 tokens, about 3 min left`; empty for one that does not run."""
    standing = job.standing
    if job.state is not JobState.RUNNING or standing is None:
        return ""
    parts = [_tr(str(_STAGES.get(standing.stage, standing.stage)))]
    if standing.total:
        parts.append(
            _tr("{done} of {total} {unit}").format(
                done=f"{standing.done:,}", total=f"{standing.total:,}", unit=standing.unit
            )
        )
    if standing.remaining_s is not None and standing.remaining_s >= 1:
        parts.append(_tr("{} left").format(duration(standing.remaining_s, standing.remaining_s)))
    return ", ".join(parts)


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)
