"""How near the score is that the open song waits for, and what is said of it where one would be asked for."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QCoreApplication


class Pending(IntEnum):
    """How near the score is; more is nearer."""

    NO = 0
    WAITS = 1
    RUNS = 2

    @property
    def reason(self) -> str:
        """Why none can be asked for, in a sentence; empty where one can."""
        return {
            Pending.NO: "",
            Pending.WAITS: _tr("A score for these words waits in the queue."),
            Pending.RUNS: _tr("A score for these words is being written."),
        }[self]


def _tr(text: str) -> str:
    return QCoreApplication.translate("PendingScore", text)
