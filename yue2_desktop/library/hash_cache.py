"""Hashes of large files that were computed before, kept by path, size and time of the last change."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from yue2_desktop.library.json_style import json_bytes
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.wording import path_text

_log = logging.getLogger(__name__)


class HashCache:
    """One JSON file of hashes. A damaged or unwritable cache costs time, never a render: it is logged."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def known(self, file: Path) -> str | None:
        """The sha256 of `file` if it was hashed before and has kept its size and time since."""
        entry = self._entries().get(_key(file))
        if not isinstance(entry, dict) or entry.get("state") != _state(file):
            return None
        value = entry.get("sha256")
        return value if isinstance(value, str) else None

    def remember(self, file: Path, sha256: str, state: list[int]) -> None:
        """Keeps the hash of `file`, which was in `state` (see `file_state`) when the hashing began."""
        entries = {**self._entries(), _key(file): {"state": state, "sha256": sha256}}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(self._path, json_bytes(entries))
        except (OSError, Problem) as error:
            _log.warning("the hash of %s could not be kept: %s", file, error)

    def _entries(self) -> dict[str, object]:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            _log.warning("the cache of hashes %s cannot be read and is begun anew: %s", self._path, error)
            return {}
        return values if isinstance(values, dict) else {}


def file_state(file: Path) -> list[int]:
    """Size in bytes and time of the last change in nanoseconds; OSError where there is no such file."""
    found = file.stat()
    return [found.st_size, found.st_mtime_ns]


def _state(file: Path) -> list[int] | None:
    try:
        return file_state(file)
    except OSError:
        return None


def _key(file: Path) -> str:
    return path_text(file.resolve())
