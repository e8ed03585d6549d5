"""One window a user: a second start hands its file to the first and ends."""

from __future__ import annotations

import getpass
import hashlib
import logging
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from yue2_desktop import paths

_log = logging.getLogger(__name__)
_PATIENCE_MS: Final = 1500
_MOST_BYTES: Final = 32_768


class SingleInstance(QObject):
    """`asked` carries a path that another start wants opened, None for one that only wants to see the window."""

    asked = Signal(object)

    def __init__(self, folder: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        folder = folder or paths.data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:  # what cannot be kept there is told by whoever keeps it; the window opens all the same
            _log.warning("no other start can find this window: %s", error)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)  # a process that ended is noticed by its number, however long ago it began
        self._name = _server_name(folder)
        self._server: QLocalServer | None = None

    def claim(self) -> bool:
        """Whether this is the first window; it listens for others from then on."""
        if not self._lock.tryLock(0):
            return False
        QLocalServer.removeServer(self._name)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        if not self._server.listen(self._name):
            _log.warning("a second start cannot reach this window: %s", self._server.errorString())
        return True

    def hand_over(self, path: Path | None) -> bool:
        """Tells the first window what to open; whether it heard."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_PATIENCE_MS):
            return False
        socket.write(("" if path is None else str(path.absolute())).encode("utf-8", errors="surrogateescape") + b"\n")
        heard = socket.waitForBytesWritten(_PATIENCE_MS)
        socket.disconnectFromServer()
        return heard

    def close(self) -> None:
        """Listens no more."""
        if self._server is not None:
            self._server.close()
        self._lock.unlock()

    @Slot()
    def _connected(self) -> None:
        assert self._server is not None
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(self._read)
            socket.disconnected.connect(socket.deleteLater)
            if socket.canReadLine():
                self._take(socket)

    @Slot()
    def _read(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket) and socket.canReadLine():
            self._take(socket)

    def _take(self, socket: QLocalSocket) -> None:
        text = bytes(socket.readLine(_MOST_BYTES).data()).decode("utf-8", errors="surrogateescape").strip()
        self.asked.emit(Path(text) if text else None)


def _server_name(folder: Path) -> str:
    """A name of this user's and this folder's, short enough for a socket of the system."""
    whole = f"{getpass.getuser()}\n{folder}"
    return "yue2-desktop-" + hashlib.sha256(whole.encode("utf-8", errors="surrogateescape")).hexdigest()[:16]
