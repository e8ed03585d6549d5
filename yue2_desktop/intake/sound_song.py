"""The song that an exported sound was made from, rebuilt from the tag inside it."""

from __future__ import annotations

from pathlib import Path

from yue2_desktop.intake.dropped import DroppedSong
from yue2_desktop.intake.rebuilt import Made, differences, document_of
from yue2_desktop.intake.sound_tags import provenance_of
from yue2_desktop.intake.take_song import song_of_take
from yue2_desktop.library.describe import is_take
from yue2_desktop.library.names import AUDIO_NAMES
from yue2_desktop.song.document_score import DocumentScore
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.provenance import SONG_TAG, Provenance
from yue2_desktop.song.wording import path_text


def song_of_sound(path: Path) -> DroppedSong:
    """The song of a FLAC, WAV, MP3, Ogg or Opus file that this program exported, or of a take's own sound.

    Raises Problem(BAD_FILE) for a sound that says nothing of a song, and for a damaged one.
    """
    provenance = provenance_of(path)
    if provenance is not None:
        return song_of_provenance(provenance, path)
    if path.name in AUDIO_NAMES and is_take(path.parent):
        return song_of_take(path.parent)
    place = path_text(path)
    raise Problem(
        ProblemKind.BAD_FILE,
        f"The sound {place} does not say how it was made (it has no {SONG_TAG} tag), so its song cannot be made again; "
        "drop a sound that this program exported, or the folder of a take.",
        path=place,
    )


def song_of_provenance(provenance: Provenance, path: Path) -> DroppedSong:
    """The song that `provenance`, found in the file at `path`, asks for."""
    request = provenance.request
    document_score = None
    notes = []
    if provenance.score is not None:
        document_score = DocumentScore.imported(provenance.score, path.name)
        if request.abc is None:
            notes.append(
                "The score was written by the model, whose own tokens are in the take and not in the sound: it is sung "
                "from its text now. Take the score out to have it written again from the same seed."
            )
    document = document_of(
        Made(
            request,
            provenance.abc_sampling,
            provenance.semantic_sampling,
            provenance.ode_steps,
            ode_method=provenance.made_with.get("ode_method"),
            song=provenance.song,
            fallback_title=path.stem,
        ),
        document_score,
    )
    return DroppedSong(path, document, None, (*notes, *differences(request)), is_take=True)
