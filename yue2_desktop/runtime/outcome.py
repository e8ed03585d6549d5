"""How a process ended, as a value apart from the process."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    """Why an engine process is no more."""

    ASKED = "asked"
    KILLED = "killed"
    FAILED = "failed"
    CRASHED = "crashed"
    NOT_STARTED = "not-started"


@dataclass(frozen=True)
class Outcome:
    """`code` is the exit status, negative for a signal as `subprocess` has it; None when it never ran.

    `asked` says that it was told to end, `killed` that it did not and was made to.
    """

    code: int | None
    asked: bool = False
    killed: bool = False
    reason: str = ""

    @property
    def ending(self) -> Ending:
        """The kind of end."""
        if self.code is None:
            return Ending.NOT_STARTED
        if self.killed:
            return Ending.KILLED
        if self.asked and self.code == 0:
            return Ending.ASKED
        # Windows gives crashes as large unsigned numbers (0xC0000005), POSIX as negative signal numbers.
        return Ending.CRASHED if self.code < 0 or self.code >= 0x8000_0000 else Ending.FAILED

    @property
    def sentence(self) -> str:
        """What happened, for the log and as the first words of an error; empty for an end that was asked for."""
        match self.ending:
            case Ending.ASKED:
                return ""
            case Ending.NOT_STARTED:
                return f"The engine could not be started ({self.reason})."
            case Ending.KILLED:
                return "The engine did not stop in time and was ended."
            case Ending.CRASHED:
                name = _signal_name(self.code)
                if name == "SIGKILL":  # never of its own: by hand or, far more often, by the system
                    return f"The engine was ended from outside ({name}), as the system does when memory runs out."
                return f"The engine ended unexpectedly ({name})."
            case Ending.FAILED:
                return f"The engine ended by itself with status {self.code}."


def _signal_name(code: int | None) -> str:
    if code is None:
        return "unknown"
    if code >= 0:
        return f"0x{code:08X}"
    if sys.platform == "win32":
        return str(code)
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
