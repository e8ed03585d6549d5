"""The two lines to the window, taken over so that only messages travel on them."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from typing import IO, Final

from yue2_desktop.engine.messages import MAX_LINE, Event, encode

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2


class Speaker:
    """Writes events, one whole line at a time, from any thread."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def say(self, event: Event) -> None:
        """Raises MessageError for values that no message may hold, OSError when nobody reads any more."""
        line = encode(event).encode("ascii") + b"\n"
        with self._lock:
            self._stream.write(line)
            self._stream.flush()


def take_over() -> tuple[IO[bytes], IO[bytes]]:
    """What the window says, and where it listens: the process's own stdin and stdout, which become others.

    Whatever prints goes to stderr from now on, which is the log, and whatever reads finds nothing. (On Windows a
    library that looks at a stdin that is being read waits until something comes.)
    """
    heard = os.fdopen(os.dup(_STDIN), "rb")
    said = os.fdopen(os.dup(_STDOUT), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, _STDIN)
    os.close(null)
    if sys.stdout is not None:
        sys.stdout.flush()
    os.dup2(_STDERR, _STDOUT)
    return heard, said


def lines(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream until its end; one that is longer than any message comes in pieces, which are none."""
    while line := stream.readline(MAX_LINE + 1):
        yield line.decode("utf-8", errors="replace").rstrip("\r\n")
