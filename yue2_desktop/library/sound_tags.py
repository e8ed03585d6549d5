"""The tags of an exported sound: title, words, licence, and what it was made from, in each container's own form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from yue2_desktop.library.export_formats import ExportFormat
from yue2_desktop.song.provenance import SONG_TAG, Provenance

PROGRAM: Final = "YuE2 Desktop"
#: ISO 639-2 of lyrics and comments whose language is not known; players ask for some code.
_LANGUAGE: Final = "XXX"
_UTF16: Final = 1


class TaggingError(Exception):
    """The tags could not be written; the text says why."""


@dataclass(frozen=True)
class SoundTags:
    """What a player shows, and `song`, the text from which the song can be made again (see `song.provenance`).

    Empty texts are left out. `date` is a day as YYYY-MM-DD; `licence` is that of the weights.
    """

    title: str
    lyrics: str = ""
    comment: str = ""
    date: str = ""
    licence: str = ""
    encoder: str = PROGRAM
    song: str = ""


def tags_of(made: Provenance, title: str, *, lyrics: bool = True, song: bool = True) -> SoundTags:
    """The tags of a take with that provenance; the lyrics and what it was made from only if wanted."""
    version = made.made_with.get("app_version", "")
    program = f"{PROGRAM} {version}".rstrip()
    licence = f"Licence of the model's weights: {made.licence}." if made.licence else ""
    return SoundTags(
        title=title,
        lyrics=made.request.lyrics.strip() if lyrics else "",
        comment=" ".join(part for part in (f"Made with {program}, seed {made.request.seed}.", licence) if part),
        date=made.created[:10],
        licence=made.licence,
        encoder=program,
        song=made.to_text() if song else "",
    )


def write_tags(file: BinaryIO, form: ExportFormat, tags: SoundTags) -> None:
    """Writes `tags` into the encoded sound in `file`, which is open to read and write.

    Vorbis comments for FLAC, Ogg and Opus; ID3 2.3, which every player reads, for MP3 and WAV. Raises the OSError
    that the file met, and TaggingError for what mutagen cannot do.
    """
    import mutagen

    file.seek(0)
    try:
        if form.container in {"MP3", "WAV"}:
            _write_id3(file, form.container, tags)
        else:
            _write_comments(file, form, tags)
    except mutagen.MutagenError as error:
        # mutagen hands the system's error on as the first argument of its own.
        cause = error.args[0] if error.args else None
        if isinstance(cause, OSError):
            raise cause from error
        raise TaggingError(str(error)) from error


def _write_comments(file: BinaryIO, form: ExportFormat, tags: SoundTags) -> None:
    from mutagen.flac import FLAC
    from mutagen.oggopus import OggOpus
    from mutagen.oggvorbis import OggVorbis

    kinds: Mapping[str, type[FLAC | OggOpus | OggVorbis]] = {
        "PCM_16": FLAC, "PCM_24": FLAC, "VORBIS": OggVorbis, "OPUS": OggOpus,
    }  # fmt: skip
    sound: Any = kinds[form.subtype](file)
    if sound.tags is None:
        sound.add_tags()
    comments = {
        "TITLE": tags.title,
        "LYRICS": tags.lyrics,
        "COMMENT": tags.comment,
        "DATE": tags.date,
        "LICENSE": tags.licence,
        "ENCODED-BY": tags.encoder,
        SONG_TAG: tags.song,
    }
    for name, value in comments.items():
        if value:
            sound[name] = [value]
    file.seek(0)
    sound.save(file)


def _write_id3(file: BinaryIO, container: str, tags: SoundTags) -> None:
    from mutagen import id3
    from mutagen.mp3 import MP3
    from mutagen.wave import WAVE

    sound: Any = MP3(file) if container == "MP3" else WAVE(file)
    if sound.tags is None:
        sound.add_tags()
    frames = (
        (tags.title, id3.TIT2(encoding=_UTF16, text=[tags.title])),
        (tags.lyrics, id3.USLT(encoding=_UTF16, lang=_LANGUAGE, desc="", text=tags.lyrics)),
        (tags.comment, id3.COMM(encoding=_UTF16, lang=_LANGUAGE, desc="", text=[tags.comment])),
        (tags.date, id3.TDRC(encoding=_UTF16, text=[tags.date])),
        (tags.licence, id3.TXXX(encoding=_UTF16, desc="LICENSE", text=[tags.licence])),
        (tags.encoder, id3.TENC(encoding=_UTF16, text=[tags.encoder])),
        (tags.song, id3.TXXX(encoding=_UTF16, desc=SONG_TAG, text=[tags.song])),
    )
    for value, frame in frames:
        if value:
            sound.tags.add(frame)
    sound.tags.update_to_v23()
    file.seek(0)
    sound.save(file, v2_version=3)
