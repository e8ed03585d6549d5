"""The status bar says of a render what its row says."""

from __future__ import annotations

import pytest

from tests.ui.takes.samples import job, singing
from yue2_desktop.queue.job import JobStanding, JobState
from yue2_desktop.ui.engine_words import progress_words
from yue2_desktop.ui.takes.rows import JobRow
from yue2_desktop.ui.takes.words import line_words


@pytest.mark.parametrize(
    "standing",
    [
        JobStanding("score", 40, 900, "tokens", 20.0, 43.0),
        singing(),
        JobStanding("acoustic", 22, 50, "steps"),
        JobStanding("decode", 0, 2, "tiles", None, 4.0),
        JobStanding("decode", 0, 0, "tiles"),
    ],
)
def test_one_vocabulary_for_rows_and_status_bar(standing: JobStanding) -> None:
    runs = job(1, JobState.RUNNING, standing=standing)
    row = line_words(JobRow(runs, standing))
    assert progress_words(runs) == (f"{row.text}, {row.time}" if row.time else row.text)


def test_what_is_said() -> None:
    assert progress_words(job(1, JobState.RUNNING, standing=singing())) == (
        "singing 1,204 of ~4,000 tokens, about 3 min left"
    )
    parts = JobStanding("decode", 0, 2, "tiles")
    assert progress_words(job(1, JobState.RUNNING, standing=parts)) == "making the audio, 0 of 2 parts"


def test_what_does_not_run_says_nothing() -> None:
    assert progress_words(job(1, standing=singing())) == ""
    assert progress_words(job(1, JobState.RUNNING)) == ""
