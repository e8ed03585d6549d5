"""A take whose making was broken off and that no job is about any more: the rest of it, as a job to be queued."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from yue2_desktop.library.members import read_members
from yue2_desktop.library.names import REQUEST
from yue2_desktop.library.record import read_record
from yue2_desktop.queue.job import JobPart, NewJob
from yue2_desktop.runtime.orders import Places, resumed_order
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.wording import path_text


@dataclass(frozen=True)
class Unfinished:
    """A take as its folder tells of it; `song` is None for one of the command line."""

    folder: Path
    seed: int
    song: SongOfTake | None

    @property
    def part(self) -> JobPart:
        """How far it was to go: a score that was asked for alone has no number among the takes of its song."""
        is_score = self.song is not None and self.song.take is None
        return JobPart.SCORE if is_score else JobPart.TAKE


def unfinished_take(folder: Path) -> Unfinished:
    """The take in `folder`. Raises Problem(BAD_FILE) where its records are gone or damaged."""
    request = request_from_json(read_members(folder / REQUEST).values).request
    return Unfinished(folder, request.seed, read_record(folder).song)


def rest_of(take: Unfinished, places: Places) -> NewJob:
    """Its rest, made in its own folder; it keeps its number. One of no song is one of a song of its own."""
    song = take.song or SongOfTake(SongDocument().id, path_text(Path(take.folder.name)))
    order = resumed_order(take.folder, places, part=take.part.value)
    return NewJob(song.id, song.title, take.seed, take.part, str(take.folder), order, take=song.take)
