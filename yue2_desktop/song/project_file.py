"""Project files (`.yue2song`): read and checked, written in one step, with the last good version beside them."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.song.atomic import write_bytes
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.project_json import document_from_json, document_json
from yue2_desktop.song.textfile import decode_utf8, parse_json, read_bytes
from yue2_desktop.song.wording import path_text

SUFFIX: Final = ".yue2song"
_BACKUP_SUFFIX: Final = ".bak"
_WHAT: Final = "song"


@dataclass(frozen=True)
class Project:
    """A document and its file; `mark` is the sha256 of the file's content when it was read or written."""

    document: SongDocument
    path: Path
    mark: str


def load_project(path: Path) -> Project:
    """The song in a project file; nothing is written.

    Raises Problem(BAD_FILE) that names the place of what is wrong, and the backup if there is a good one;
    Problem(UNSUPPORTED) for the file of a later version.
    """
    data = read_bytes(path, _WHAT)
    try:
        return Project(_document(data, path), path, _mark(data))
    except Problem as problem:
        backup = backup_of(path)
        if problem.kind is not ProblemKind.BAD_FILE or not _is_good(backup):
            raise
        raise Problem(
            problem.kind,
            f"{problem.sentence} The last good version is {path_text(Path(backup.name))}; open that one.",
            **{**problem.data, "backup": path_text(backup)},
        ) from problem


def save_project(document: SongDocument, path: Path, *, expected: str | None = None, backs_up: bool = True) -> Project:
    """Writes `document` to `path` in one step, and what was there, if it was a good song, to `path` + `.bak`.

    Without `backs_up` the last good version is left as it is.

    `expected` is the mark of the file as this program knows it: one that somebody else has changed since is left
    alone. Raises Problem(OUTPUT_EXISTS) for that, Problem(UNSUPPORTED) for a file of a later version, and
    Problem(DISK_FULL) or (BAD_FILE) where it cannot be written; then the file is as it was.
    """
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    data = document_bytes(document)
    if target.exists():
        before = read_bytes(target, _WHAT)
        _require_ours(before, target, expected)
        if before == data:
            return Project(document, path, _mark(data))
        if backs_up and _is_good_data(before, target):
            write_bytes(backup_of(target), before, kept=(target.name,))
    kept = (backup_of(target).name,) if backup_of(target).exists() else None
    write_bytes(target, data, kept=kept)
    return Project(document, path, _mark(data))


def document_bytes(document: SongDocument) -> bytes:
    """`document` as a project file holds it: JSON in UTF-8 with a line a member."""
    return (json.dumps(document_json(document), ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def backup_of(path: Path) -> Path:
    """Where the last good version of a project file is kept."""
    return path.with_name(path.name + _BACKUP_SUFFIX)


def is_changed(project: Project, document: SongDocument) -> bool:
    """Whether `document` has anything that the file of `project` has not: the star in the title."""
    return document != project.document


def _document(data: bytes, path: Path) -> SongDocument:
    return document_from_json(parse_json(decode_utf8(data, path, _WHAT), path, _WHAT), path)


def _require_ours(before: bytes, path: Path, expected: str | None) -> None:
    if expected is not None and _mark(before) != expected:
        place = path_text(path)
        raise Problem(
            ProblemKind.OUTPUT_EXISTS,
            f"Song {place} was changed by another program since it was opened; save under another name, or open it "
            "again and lose what was changed here.",
            path=place,
        )
    try:
        _document(before, path)
    except Problem as problem:
        if problem.kind is ProblemKind.UNSUPPORTED:
            raise


def _is_good(path: Path) -> bool:
    try:
        return _is_good_data(read_bytes(path, _WHAT), path)
    except Problem:
        return False


def _is_good_data(data: bytes, path: Path) -> bool:
    try:
        _document(data, path)
    except Problem:
        return False
    return True


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
