"""What a dropped file or folder turned out to be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.lyrics.lyric_file import LyricsFile
from yue2_desktop.song.project_file import Project


@dataclass(frozen=True)
class DroppedLyrics:
    """Words for the song that is open; where the encoding was guessed, `file.others` are to choose from."""

    path: Path
    file: LyricsFile

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell, a sentence each."""
        return self.file.notes


@dataclass(frozen=True)
class DroppedScore:
    """A score for the song that is open, in the model's dialect.

    `errors` counts those for which it would be refused as it is; `notes` are whole sentences: what was changed or
    left out.
    """

    path: Path
    text: str
    errors: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class DroppedSong:
    """A song of its own. `project` is its file where it is one; None for a song rebuilt from a take or a sound.

    `is_take` says that it is what one take of a song was made with: its words and settings, and not the song's notes.
    """

    path: Path
    document: SongDocument
    project: Project | None
    notes: tuple[str, ...] = ()
    is_take: bool = False


Dropped = DroppedLyrics | DroppedScore | DroppedSong
