"""The built-in test model, made by a process of its own: it takes torch and a moment. Knows no Qt."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from yue2_desktop.runtime.engine_process import own_command
from yue2_desktop.runtime.environment import engine_environment
from yue2_desktop.song.errors import Problem, ProblemKind


class TestModelMaking:
    """One making, on a thread that may wait; `stop` ends it from another one."""

    __test__ = False  # pytest would take the name for a test class

    def __init__(self, folder: Path, command: Sequence[str] | None = None) -> None:
        self._folder = folder
        self._command = [*(own_command() if command is None else command), "test-model", str(folder), "--quiet"]
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def run(self) -> Path:
        """The folder with the model in it; what is whole there already stays.

        Raises Problem with the sentence of the process, or CANCELLED after `stop`.
        """
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows a console would open
        with self._lock:
            if self._stopped:
                raise self._cancelled()
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    env=engine_environment(None),
                    creationflags=flags,
                )
            except OSError as error:
                raise self._failed(error.strerror or str(error)) from error
        _, errors = self._process.communicate()
        if self._stopped:
            raise self._cancelled()
        if self._process.returncode:
            lines = errors.decode("utf-8", errors="replace").split("\n")
            raise self._failed(next((line.strip() for line in reversed(lines) if line.strip()), "no reason was given"))
        return self._folder

    def stop(self) -> None:
        """Ends the process; `run` returns."""
        with self._lock:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

    def _failed(self, why: str) -> Problem:
        sentence = f"The test model could not be made: {why}"
        return Problem(ProblemKind.BAD_FILE, sentence if sentence.endswith(".") else f"{sentence}.")

    def _cancelled(self) -> Problem:
        return Problem(ProblemKind.CANCELLED, "The test model was not made.")
