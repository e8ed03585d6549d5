"""Ctrl-C: the work is told to stop; if it has not within 0.7 s, the process ends itself."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Final, Self

from yue2_desktop.cli.failures import INTERRUPTED
from yue2_desktop.engine.progress import CancelToken

#: A render is gone within a second, whatever layer is being computed: what is written stage by stage and token by
#: token needs no farewell.
GRACE_S: Final = 0.7
#: For the last words, which go to a terminal or a pipe that may be stuck.
_LAST_WORDS_S: Final = 0.2

#: SIGHUP is a terminal that was closed: what is begun is ended as well, and gigabytes of a broken file are removed.
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")


class Interruptible:
    """While it is open, Ctrl-C and a request to terminate set `cancel` instead of raising.

    A second one ends the process at once, with its last words. Signals are watched from a thread of their own, woken
    through a socket: Python's own handlers wait until the main thread is back from the operator that it computes,
    which can take minutes. Where the program was started with Ctrl-C ignored (nohup, a background job) it stays
    ignored.
    """

    def __init__(self, end: Callable[[int], None] = os._exit) -> None:
        self.cancel = CancelToken()
        #: Called before the process ends itself, on another thread than the work's; must not wait for the work.
        self.last_words: Callable[[], None] | None = None
        self._end = end
        self._numbers = {
            number
            for name in _NAMES
            if (number := getattr(signal, name, None)) is not None
            and signal.getsignal(number) is not signal.SIG_IGN
        }  # fmt: skip
        self._previous: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
        self._sockets: tuple[socket.socket, socket.socket] | None = None
        self._previous_fd = -1
        self._watcher: threading.Thread | None = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self  # only the main thread may set handlers; whoever runs us elsewhere sets `cancel`
        woken, waking = socket.socketpair()
        waking.setblocking(False)
        self._sockets = (woken, waking)
        self._previous_fd = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        for number in self._numbers:
            self._previous[number] = signal.signal(number, _leave_it_to_the_watcher)
        self._watcher = threading.Thread(target=self._watch, args=(woken,), name="interrupt", daemon=True)
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._sockets is None:
            return
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._previous_fd)
        woken, waking = self._sockets
        waking.close()  # the watcher reads the end of the stream and leaves
        if self._watcher is not None:
            self._watcher.join()
        woken.close()
        if self._timer is not None:
            self._timer.cancel()
        self._sockets = None

    def _watch(self, woken: socket.socket) -> None:
        while numbers := woken.recv(64):
            for number in numbers:
                if number in self._numbers:
                    self._interrupted()

    def _interrupted(self) -> None:
        if self.cancel.cancelled:
            self._give_up()
            return
        self.cancel.cancel()
        self._timer = _timer(GRACE_S, self._give_up)

    def _give_up(self) -> None:
        _timer(_LAST_WORDS_S, lambda: self._end(INTERRUPTED))
        if self.last_words is not None:
            self.last_words()
        self._end(INTERRUPTED)


def _timer(seconds: float, action: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer


def _leave_it_to_the_watcher(_number: int, _frame: FrameType | None) -> None:
    """Python must have a handler, or the signal would end the process."""
