"""Scores from files: the model's dialect as it is, everything else by import."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from yue2_desktop.intake.dropped import DroppedScore
from yue2_desktop.score.importing.files import import_bytes
from yue2_desktop.score.importing.musicxml import MAX_BYTES
from yue2_desktop.score.importing.refusal import naming
from yue2_desktop.score.importing.sketch import Imported
from yue2_desktop.score.normalise import normalise
from yue2_desktop.score.parser import parse
from yue2_desktop.score.rules import Code
from yue2_desktop.score.scorefile import score_text
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.encodings import decode_text
from yue2_desktop.song.textfile import read_bytes
from yue2_desktop.song.wording import path_text

SCORE_SUFFIXES: Final = (".abc", ".mid", ".midi", ".kar", ".musicxml", ".mxl", ".xml")
_WHAT: Final = "score file"
#: White space, zeros, and the marks with which texts of UTF-8 and UTF-16 begin.
_BLANKS: Final = b" \t\r\n\f\v\0\xef\xbb\xbf\xfe\xff"


def read_score_file(path: Path) -> DroppedScore:
    """The score in an .abc, .mid, .musicxml or .mxl file; Problem(BAD_FILE) that names the file and the cure."""
    data = read_bytes(path, _WHAT, limit=MAX_BYTES)
    if path.suffix.lower() == ".abc":
        return abc_score(data, path)
    # Karaoke files are MIDI; the importers go by the ending where the first bytes are damaged.
    imported = _imported(data, path.with_suffix(".mid") if path.suffix.lower() == ".kar" else path, path)
    return _dropped(path, imported.text, imported.changes)


def abc_score(data: bytes, path: Path) -> DroppedScore:
    """The score in the bytes of an ABC file: the dialect is kept with its errors, ordinary ABC is imported."""
    refuse_empty(data, path)
    notes: tuple[str, ...] = ()
    try:
        text = score_text(data, path)
    except Problem:
        # Tune collections of old are in windows-1252 and the like; their notes are ASCII in any case.
        decoded = decode_text(data)
        if decoded is None:
            raise
        text = decoded.best.text
        notes = (f"The file is not UTF-8; it was read as {decoded.best.label}.",)
    parsed = parse(text)
    codes = {one.code for one in parsed.diagnostics}
    if Code.NOT_A_SCORE in codes:
        raise _no_score(path)
    if parsed.is_foreign or Code.TOO_LARGE in codes:  # a collection of tunes, say, of which the first is taken
        imported = _imported(text.encode("utf-8"), path, path)
        return _dropped(path, imported.text, (*notes, *imported.changes))
    normalised = normalise(text)
    return _dropped(path, normalised.text, (*notes, *normalised.notes))


def refuse_empty(data: bytes, path: Path) -> None:
    """Raises Problem(BAD_FILE) where nothing but blanks is in a file, which would wipe out what the song has."""
    if not data.strip(_BLANKS):
        place = path_text(path)
        raise Problem(ProblemKind.BAD_FILE, f"The file {place} is empty; choose another.", path=place)


def _no_score(path: Path) -> Problem:
    place = path_text(path)
    return Problem(
        ProblemKind.BAD_FILE,
        f"The file {place} is no score: it has no lines in ABC; choose another, or drop words as .txt.",
        path=place,
    )


def _imported(data: bytes, kind: Path, path: Path) -> Imported:
    try:
        return import_bytes(data, kind)
    except Problem as problem:
        raise naming(problem, path) from problem


def _dropped(path: Path, text: str, notes: tuple[str, ...]) -> DroppedScore:
    return DroppedScore(path, text, len(parse(text).errors), notes)
