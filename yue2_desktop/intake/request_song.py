"""Songs from request files (spec/yue2.md, section 7), and the examples that come with the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from yue2_desktop.intake.dropped import DroppedSong
from yue2_desktop.intake.rebuilt import Made, differences, document_of
from yue2_desktop.song.document import SongDocument, new_id
from yue2_desktop.song.document_score import DocumentScore
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.request import request_from_json
from yue2_desktop.song.seeds import SeedKind
from yue2_desktop.song.textfile import read_json, read_utf8
from yue2_desktop.song.wording import path_text

_REQUEST: Final = "request.json"
_TITLE: Final = "title.txt"


def song_of_request(path: Path) -> DroppedSong:
    """The song that a request file asks for; its score may be in a file beside it.

    Raises Problem(BAD_FILE) that names the file and the field.
    """
    try:
        found = request_from_json(read_json(path, "request file"), base_dir=path.parent)
    except Problem as problem:
        if problem.kind is not ProblemKind.BAD_REQUEST:
            raise
        place = path_text(path)
        raise Problem(ProblemKind.BAD_FILE, f"Request file {place}: {problem.sentence}", path=place) from problem
    request = found.request
    score = None if request.abc is None else DocumentScore.imported(request.abc, path.name)
    made = Made(request, found.abc_overrides, found.semantic_overrides, fallback_title=path.stem)
    document = document_of(made, score)
    return DroppedSong(path, document, None, differences(request))


def load_examples(folder: Path) -> tuple[SongDocument, ...]:
    """The example songs in `folder`, in the order of their folders' names, each as a new song with its title."""
    songs = []
    for path in sorted(folder.glob(f"*/{_REQUEST}")):
        document = song_of_request(path).document
        title = path.with_name(_TITLE)
        if title.is_file():
            document = replace(document, title=read_utf8(title, "title").strip())
        score = document.score
        if score is not None:
            document = replace(document, score=replace(score, source=path.parent.name))
        # As every new song: rendered again it makes another take, from the seed that it comes with on.
        songs.append(replace(document, id=new_id(), seed=replace(document.seed, kind=SeedKind.COUNTING)))
    return tuple(songs)
