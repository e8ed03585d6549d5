"""The tag of a sound that says how it was made, out of every container that is exported (`song.provenance`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.provenance import SONG_TAG, Provenance, read_provenance
from yue2_desktop.song.wording import path_text

SOUND_SUFFIXES: Final = (".flac", ".wav", ".mp3", ".ogg", ".oga", ".opus")


def song_tag(path: Path) -> str | None:
    """The text of the tag; None where the sound has none.

    A Vorbis comment of that name (FLAC, Ogg Vorbis, Opus), or a TXXX frame of that description (MP3, WAV). Raises
    Problem(BAD_FILE) for a file that cannot be read or is no sound.
    """
    import mutagen

    try:
        with path.open("rb") as file:
            sound = mutagen.File(file)
    except OSError as error:
        raise _bad(path, f"cannot be read ({error.strerror or error}); choose another") from error
    except mutagen.MutagenError as error:
        raise _bad(path, f"is damaged ({error}); choose another") from error
    if sound is None:
        raise _bad(path, "is no sound that can be read; choose another")
    if sound.tags is None:
        return None
    for name in (SONG_TAG, f"TXXX:{SONG_TAG}"):
        value = sound.tags.get(name)
        # A frame of ID3 keeps its texts in a member of that name, a Vorbis comment is the list itself.
        texts = getattr(value, "text", value)
        if texts:
            return str(texts[0])
    return None


def provenance_of(path: Path) -> Provenance | None:
    """What the tag of a sound says; None where it has none. Raises Problem(BAD_FILE) for a damaged file or tag."""
    text = song_tag(path)
    return None if text is None else read_provenance(text, path)


def _bad(path: Path, rest: str) -> Problem:
    place = path_text(path)
    return Problem(ProblemKind.BAD_FILE, f"The sound {place} {rest}.", path=place)
