"""The log: a rotating UTF-8 file for what the program says, and a file for the traces of hard crashes."""

from __future__ import annotations

import faulthandler
import logging
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from yue2_desktop import paths

_ROOT = "yue2_desktop"
_MAX_BYTES = 2_000_000
_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class _TolerantRotation(RotatingFileHandler):
    """Goes on in the same file where another process holds it open and Windows forbids to rename it."""

    def rotate(self, source: str, dest: str) -> None:
        try:
            super().rotate(source, dest)
        except PermissionError as error:
            self.maxBytes = 0  # trying again at every line would cost more than a long file
            self.emit(
                logging.makeLogRecord({
                    "name": __name__,
                    "levelno": logging.WARNING,
                    "levelname": "WARNING",
                    "msg": f"The log could not be rotated and grows on: {error}",
                })
            )


@dataclass
class Logs:
    """The open logs of one process; `close` detaches them."""

    path: Path
    crash_path: Path
    _handler: logging.Handler
    _crashes: IO[str]

    def close(self) -> None:
        """Detach from logging and faulthandler and close both files; safe to call again."""
        logging.getLogger(_ROOT).removeHandler(self._handler)
        self._handler.close()
        if not self._crashes.closed:
            faulthandler.disable()
            self._crashes.close()


def start(name: str = "yue2-desktop", *, folder: Path | None = None, level: int = logging.INFO) -> Logs:
    """Send the program's log records to `<folder>/<name>.log` and hard crashes to `<name>-crash.txt`.

    The log is kept below 2 MB, with one older file beside it. Each process gives its own `name`. The level of the
    console is left alone. Raises OSError where the folder cannot be written.
    """
    folder = folder or paths.log_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path, crash_path = folder / f"{name}.log", folder / f"{name}-crash.txt"
    # A name that cannot be encoded (a lone surrogate from a file system) must not cost the log line.
    handler = _TolerantRotation(
        path, maxBytes=_MAX_BYTES, backupCount=1, encoding="utf-8", delay=True, errors="backslashreplace"
    )
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger = logging.getLogger(_ROOT)
    logger.setLevel(level)
    logger.addHandler(handler)
    # Opened for appending: the trace of the last crash is still to be read at the next start.
    crashes = open(crash_path, "a", encoding="utf-8")  # noqa: SIM115 - faulthandler writes to it until the end
    faulthandler.enable(crashes)
    return Logs(path, crash_path, handler, crashes)
