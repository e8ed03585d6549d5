"""What the window remembers: its place on the screen, its splitters, the files opened last, the sound device."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from yue2_desktop import paths

#: Files in the menu.
MOST_RECENT: Final = 10
_FILE: Final = "window.ini"


class Remembered(QObject):
    """An INI file beside the preferences; what cannot be read of it is forgotten."""

    recent_changed = Signal()

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ini = QSettings(str(file or paths.config_folder() / _FILE), QSettings.Format.IniFormat)

    def state(self, name: str) -> QByteArray:
        """Bytes that Qt gave for a window or a splitter; empty if there are none."""
        value = self._ini.value(f"state/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep_state(self, name: str, state: QByteArray) -> None:
        """Keeps such bytes."""
        self._ini.setValue(f"state/{name}", state)

    def recent(self) -> tuple[Path, ...]:
        """The files opened or saved last, the latest first, those that are gone left out."""
        value = self._ini.value("recent", [])
        # A list of one comes back as a text.
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(path for path in map(Path, map(str, names)) if path.is_file())

    def add_recent(self, path: Path) -> None:
        """Puts a file first."""
        others = [str(other) for other in self.recent() if other != path]
        self._ini.setValue("recent", [str(path), *others][:MOST_RECENT])
        self.recent_changed.emit()

    def forget_recent(self) -> None:
        """Empties the list."""
        self._ini.remove("recent")
        self.recent_changed.emit()

    def song(self) -> Path | None:
        """The file of the song that was open when the window was closed; None where there was none, or it is gone."""
        value = self._ini.value("song", "")
        path = Path(value) if isinstance(value, str) and value else None
        return path if path is not None and path.is_file() else None

    def keep_song(self, path: Path | None) -> None:
        """Keeps that file."""
        self._ini.setValue("song", "" if path is None else str(path))

    def sound_device(self) -> str | None:
        """The device that was chosen to play on; None for the system's default."""
        value = self._ini.value("sound/device", "")
        return value if isinstance(value, str) and value else None

    def keep_sound_device(self, name: str | None) -> None:
        """Keeps that choice, also while the device is not there."""
        self._ini.setValue("sound/device", name or "")

    @property
    def last_folder(self) -> Path:
        """Where the file dialogs begin."""
        recent = self.recent()
        return recent[0].parent if recent else paths.output_folder().parent

    def write(self) -> None:
        """Writes now rather than when Qt finds the time."""
        self._ini.sync()
