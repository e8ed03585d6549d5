"""What a song asks for, as jobs: whether its score is sung, or another one is to be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.desks import song
from yue2_desktop.queue.job import JobPart, NewJob
from yue2_desktop.runtime.orders import Places
from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import PlannedScore
from yue2_desktop.ui.new_jobs import new_jobs

PLACES = Places(Path("/models/mot"), Path("/models/vae"))
SCORE = "X:1\nM:4/4\nL:1/4\nK:C\nCDEF|\n"


def asked(document: SongDocument, part: JobPart) -> NewJob:
    (job,) = new_jobs(document, (7, 1), Path("/takes"), PLACES, (), part=part, run_anyway=False, plan="")
    return job


def with_plan(*, asked_for: str = "") -> SongDocument:
    document = song()
    return document.with_plan(PlannedScore("/takes/a", SCORE, asked_for or document.asked, 3))


@pytest.mark.parametrize(
    "document",
    [
        song().with_imported_score(SCORE, "tune.abc"),
        song().with_score_text("this is no score"),
        with_plan().with_score_text(SCORE.replace("CDEF", "CDEG")),
        with_plan(asked_for="other words"),
        with_plan(),
    ],
    ids=["imported", "faulty", "edited", "stale", "plan"],
)
def test_another_score_is_asked_for_without_the_one_that_is_there(document: SongDocument) -> None:
    order = asked(document, JobPart.SCORE).order
    request = order["request"]
    assert isinstance(request, dict)
    assert request.get("abc") is None, "the model is to write it"
    assert order["part"] == "score"
    assert "from_take" not in order


def test_a_take_sings_the_score_that_is_there() -> None:
    request = asked(song().with_imported_score(SCORE, "tune.abc"), JobPart.TAKE).order["request"]
    assert isinstance(request, dict)
    assert request["abc"] == SCORE
    assert asked(with_plan(), JobPart.TAKE).order["from_take"] == "/takes/a"
