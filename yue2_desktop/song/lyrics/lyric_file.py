"""Files of lyrics: plain text, Markdown, lyrics with times, in any usual encoding (user-reports.md, row 67)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import MAX_LYRICS_CHARS
from yue2_desktop.song.lyrics.encodings import Certainty, Decoded, Reading, decode_text
from yue2_desktop.song.lyrics.lrc import is_lrc, read_lrc
from yue2_desktop.song.lyrics.markdown import read_markdown
from yue2_desktop.song.textfile import read_bytes
from yue2_desktop.song.wording import path_text

#: Endings of the files that are read here.
LYRIC_SUFFIXES: Final = (".txt", ".md", ".markdown", ".lrc")
#: The longest lyrics take less than 100 kB in any encoding; a larger file is another kind of text.
MAX_BYTES: Final = 1024 * 1024


@dataclass(frozen=True)
class Lyrics:
    """What one reading of a file gives: words for the editor (line feeds alone), title and style if it names them."""

    encoding: str
    label: str
    text: str
    preview: str
    title: str = ""
    style: str = ""


@dataclass(frozen=True)
class LyricsFile:
    """A file of lyrics in its likeliest encoding and the others to choose from, best first.

    `certainty` other than SURE asks for a look at the preview. `notes` are whole sentences.
    """

    path: Path
    lyrics: Lyrics
    certainty: Certainty
    others: tuple[Lyrics, ...]
    notes: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[Lyrics, ...]:
        """All readings, the likeliest first."""
        return (self.lyrics, *self.others)


def read_lyrics_file(path: Path) -> LyricsFile:
    """The lyrics in a .txt, .md or .lrc file; any other ending is read as plain text.

    Raises Problem(BAD_FILE) when the file cannot be read, is larger than 1 MiB, or holds no text.
    """
    return lyrics_from(read_bytes(path, "lyrics file", limit=MAX_BYTES), path)


def lyrics_from(data: bytes, path: Path) -> LyricsFile:
    """As `read_lyrics_file`, for bytes that were read already."""
    decoded = decode_text(data)
    if decoded is None:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"Lyrics file {path_text(path)} holds no text that can be read; save it as plain text in UTF-8.",
            path=path_text(path),
        )
    suffix = path.suffix.lower()
    readings = (decoded.best, *decoded.others)
    first, *others = (_lyrics(reading, suffix) for reading in readings)
    return LyricsFile(path, first, decoded.certainty, tuple(others), _notes(decoded, first))


def _lyrics(reading: Reading, suffix: str) -> Lyrics:
    title = style = ""
    text = reading.text
    if suffix == ".lrc" or is_lrc(text):
        timed = read_lrc(text)
        text, title = timed.text, timed.title
    elif suffix in {".md", ".markdown"}:
        marked = read_markdown(text)
        text, title, style = marked.text, marked.title, marked.style
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    return Lyrics(reading.encoding, reading.label, text, reading.preview, title, style)


def _notes(decoded: Decoded, lyrics: Lyrics) -> tuple[str, ...]:
    notes = []
    if decoded.certainty is not Certainty.SURE:
        notes.append(f"The file does not say how it is encoded; it was read as {decoded.best.label}.")
    if "\ufffd" in lyrics.text:
        notes.append(f"{lyrics.text.count(chr(0xFFFD))} characters are damaged and show as \ufffd.")
    if len(lyrics.text) > MAX_LYRICS_CHARS:
        notes.append(
            f"The text has {len(lyrics.text):,} characters and a song takes {MAX_LYRICS_CHARS:,}; nothing was cut."
        )
    return tuple(notes)
