"""What the user says of a take, a star and a note: kept in the take's own folder, so that they move with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.library.json_style import json_bytes
from yue2_desktop.library.members import Members, read_members
from yue2_desktop.library.names import MARKS
from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.request import require_text

_SCHEMA: Final = 1
#: A note is a few lines; what is pasted by mistake is refused before it slows the list down.
MAX_NOTE_CHARS: Final = 20_000


@dataclass(frozen=True)
class UserMarks:
    """The star and the note of a take."""

    star: bool = False
    note: str = ""


def read_marks(folder: Path) -> UserMarks:
    """The marks of the take in `folder`; none where there is no file. Problem(BAD_FILE) where it is damaged."""
    members = _members(folder)
    if members is None:
        return UserMarks()
    return UserMarks(members.optional_flag("star") or False, members.optional_text("note") or "")


def write_marks(folder: Path, marks: UserMarks) -> None:
    """Keeps the marks with the take, in one step; members of later versions stay.

    Raises Problem(BAD_FILE) or (DISK_FULL) when they cannot be written, and Problem(BAD_FILE) rather than
    overwrite a damaged file, which may hold a note; Problem(BAD_REQUEST) for text that no file can hold, ValueError
    for a note of more than 20,000 characters.
    """
    require_text("note", marks.note)
    if len(marks.note) > MAX_NOTE_CHARS:
        raise ValueError(f"a note has at most {MAX_NOTE_CHARS} characters, not {len(marks.note)}")
    members = _members(folder)
    if members is None and marks == UserMarks():
        return
    kept = {} if members is None else members.values
    write_bytes(folder / MARKS, json_bytes({**kept, "schema": _SCHEMA, "star": marks.star, "note": marks.note}))


def _members(folder: Path) -> Members | None:
    path = folder / MARKS
    if not path.exists() and not path.is_symlink():
        return None
    members = read_members(path)
    schema = members.whole("schema")
    if schema != _SCHEMA:
        raise bad_file(path, f"is of version {schema}, this program reads {_SCHEMA}; update the program")
    return members
