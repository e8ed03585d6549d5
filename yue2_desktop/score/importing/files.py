"""Importing by what a file is: MIDI, MusicXML or ABC, told by its first bytes and not by its name alone."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.score.importing.abc import import_abc
from yue2_desktop.score.importing.midi import import_midi
from yue2_desktop.score.importing.musicxml import MAX_BYTES, import_musicxml
from yue2_desktop.score.importing.refusal import ANOTHER, naming, refused
from yue2_desktop.score.importing.sketch import Imported
from yue2_desktop.score.normalise import normalise
from yue2_desktop.score.parser import parse
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.textfile import decode_utf8
from yue2_desktop.song.wording import path_text

SUFFIXES = (".mid", ".midi", ".musicxml", ".xml", ".mxl", ".abc")


def import_file(path: Path, part: str | None = None) -> Imported:
    """Return the score of a file; `part` names the track, part or voice of the melody.

    Raises Problem(BAD_FILE) for a file that cannot be read, is damaged or is of no known kind; the sentence names it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The file {path_text(path)} cannot be read ({error.strerror or error}); choose another.",
            path=path_text(path),
        ) from error
    try:
        return import_bytes(data, path, part)
    except Problem as problem:
        raise naming(problem, path) from problem


def import_bytes(data: bytes, path: Path, part: str | None = None) -> Imported:
    """As `import_file`, for bytes that were read already; `path` tells what they are where the bytes do not."""
    if data.startswith((b"MThd", b"RIFF")) or path.suffix.lower() in {".mid", ".midi"}:
        return import_midi(data, part)
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    if data.startswith(b"PK") or start.startswith(b"<") or data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return import_musicxml(data, part)
    if path.suffix.lower() in {".abc", ".txt"} or start.startswith((b"X:", b"%abc", b"%%")):
        text = normalise(decode_utf8(data, path, "ABC file")).text
        if part is None and not parse(text).errors:
            return Imported(text, ("This is a YuE2 score already; it was taken as it is.",))
        return import_abc(text, part)
    if path.suffix.lower() in {".musicxml", ".xml", ".mxl"}:
        raise refused("is no MusicXML", ANOTHER)
    raise refused("is none that can be imported", f"these can: {', '.join(SUFFIXES)}")
