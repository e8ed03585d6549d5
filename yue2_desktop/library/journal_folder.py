"""The journal folder of a take in the making: made with the first record, removed when the take is done."""

from __future__ import annotations

import logging
from pathlib import Path

from yue2_desktop.library.names import JOURNAL_FILES
from yue2_desktop.song.atomic import remove_leftovers
from yue2_desktop.song.disk_errors import write_problem

_log = logging.getLogger(__name__)


def make_journal_folder(folder: Path) -> None:
    """Makes `folder`; Problem(BAD_FILE) or (DISK_FULL) when that fails."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise write_problem(folder, error) from error


def remove_journal(folder: Path) -> None:
    """Removes the journals in `folder` and, unless somebody else's files lie there, the folder.

    A journal that cannot be removed (somebody reads it) does no harm to a finished take: it is logged.
    """
    if not folder.is_dir():
        return
    remove_leftovers(folder)
    try:
        for name in JOURNAL_FILES:
            (folder / name).unlink(missing_ok=True)
        if next(folder.iterdir(), None) is None:
            folder.rmdir()
    except OSError as error:
        _log.warning("the journal %s could not be removed: %s", folder, error)
