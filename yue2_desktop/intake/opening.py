"""Opening anything that was dropped on the window or chosen in its dialog: told by its kind, read, and explained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from yue2_desktop.intake.dropped import Dropped, DroppedLyrics, DroppedSong
from yue2_desktop.intake.request_song import song_of_request
from yue2_desktop.intake.score_file import SCORE_SUFFIXES, abc_score, read_score_file, refuse_empty
from yue2_desktop.intake.sound_song import song_of_sound
from yue2_desktop.intake.sound_tags import SOUND_SUFFIXES
from yue2_desktop.intake.take_song import song_of_take
from yue2_desktop.library.describe import is_take
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.lyric_file import LYRIC_SUFFIXES, MAX_BYTES, lyrics_from
from yue2_desktop.song.project_file import SUFFIX, load_project
from yue2_desktop.song.textfile import read_bytes
from yue2_desktop.song.wording import path_text

_BACKUP: Final = f"{SUFFIX}.bak"
#: An ABC tune in a text file: its number first, and a key.
_ABC: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|%[^\n]*\n)*X:\s*\d.*^K:", re.DOTALL | re.MULTILINE)
#: What can be dropped, for the window's words and its file dialog.
SUFFIXES: Final = (SUFFIX, *LYRIC_SUFFIXES, *SCORE_SUFFIXES, *SOUND_SUFFIXES, ".json")


def open_dropped(path: Path) -> Dropped:
    """What the file or folder at `path` is: lyrics, a score, or a song.

    Goes by the ending, and for text files and folders by what they hold. Nothing is written. Raises
    Problem(UNSUPPORTED) for a kind that is none of these and for a song of a later version, and Problem(BAD_FILE) for
    what cannot be read, each naming the file and the cure.
    """
    if path.is_dir():
        return _folder(path)
    name, suffix = path.name.lower(), path.suffix.lower()
    if name.endswith((SUFFIX, _BACKUP)):
        return _project(path, is_backup=name.endswith(_BACKUP))
    if suffix in SCORE_SUFFIXES:
        return read_score_file(path)
    if suffix in SOUND_SUFFIXES:
        return song_of_sound(path)
    if suffix == ".json":
        return song_of_take(path.parent) if is_take(path.parent) else song_of_request(path)
    if suffix in LYRIC_SUFFIXES or not suffix:
        return _text(path)
    raise _unsupported(path)


def can_open(path: Path) -> bool:
    """Whether a drop of `path` is worth accepting, told without reading it."""
    return path.suffix.lower() in SUFFIXES or path.name.lower().endswith(_BACKUP) or not path.suffix or path.is_dir()


def _folder(path: Path) -> DroppedSong:
    if is_take(path):
        return song_of_take(path)
    try:
        songs = sorted(one for one in path.iterdir() if one.name.lower().endswith(SUFFIX))
    except OSError as error:
        raise Problem(
            ProblemKind.BAD_FILE,
            f"The folder {path_text(path)} cannot be read ({error.strerror or error}); allow it or choose another.",
            path=path_text(path),
        ) from error
    if len(songs) == 1:
        return _project(songs[0], is_backup=False)
    place = path_text(path)
    what = f"holds {len(songs)} songs; drop one of them" if songs else "is not the folder of a take"
    raise Problem(ProblemKind.UNSUPPORTED, f"The folder {place} {what}.", path=place)


def _project(path: Path, *, is_backup: bool) -> DroppedSong:
    project = load_project(path)
    if is_backup:
        note = "This is the last good version of a song; save it under a name of its own."
        return DroppedSong(path, project.document, None, (note,))
    return DroppedSong(path, project.document, project)


def _text(path: Path) -> Dropped:
    data = read_bytes(path, "text file", limit=MAX_BYTES)
    refuse_empty(data, path)
    if _ABC.search(data):
        return abc_score(data, path)
    return DroppedLyrics(path, lyrics_from(data, path))


def _unsupported(path: Path) -> Problem:
    place = path_text(path)
    return Problem(
        ProblemKind.UNSUPPORTED,
        f"{place} is nothing that can be opened here; lyrics ({', '.join(LYRIC_SUFFIXES)}), scores (.abc, .mid, "
        f".musicxml, .mxl), songs ({SUFFIX}, .json), sounds that this program exported and folders of takes can.",
        path=place,
    )
