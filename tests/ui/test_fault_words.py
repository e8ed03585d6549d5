"""What is said of renders that ended badly: what happened, what is kept, how it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.takes.samples import job
from yue2_desktop.engine.messages import Failed
from yue2_desktop.queue.job import Job, JobPart
from yue2_desktop.song.errors import ProblemKind
from yue2_desktop.ui.fault_words import fault_words, going_on_words, left_behind

DIED = Failed(1, "engine-died", "The engine ended unexpectedly (SIGSEGV).")


@pytest.fixture
def begun(qapp: object, tmp_path: Path) -> Job:
    """A job with something on the disk."""
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    return job(1, folder=str(tmp_path))


def test_what_was_made_is_kept_and_the_row_has_the_button(begun: Job) -> None:
    words = fault_words(begun, DIED)
    assert words.row == "The engine ended unexpectedly (SIGSEGV). What was made is kept; press ↻ to go on."
    assert words.notice == (
        "The engine ended unexpectedly (SIGSEGV). What was made of “The ferry at nine, take 11” is kept; press ↻ in "
        "its row to go on from there."
    )
    assert going_on_words(begun, DIED, paused=False).endswith("goes on by itself from what was made of it.")


def test_nothing_is_claimed_to_be_kept_where_nothing_was_made(qapp: object, tmp_path: Path) -> None:
    none = job(1, folder=str(tmp_path / "none"), part=JobPart.SCORE)
    words = fault_words(none, DIED)
    assert "kept" not in words.row + words.notice
    assert "“The ferry at nine, score”" in words.notice
    assert going_on_words(none, DIED, paused=False).endswith("is begun again by itself.")


def test_a_paused_queue_promises_nothing(begun: Job) -> None:
    assert going_on_words(begun, DIED, paused=True).endswith("waits until the queue goes on.")


def test_other_failures_have_their_own_sentence(begun: Job) -> None:
    failed = Failed(1, ProblemKind.DOES_NOT_FIT.value, "Nothing fits; --run-anyway tries.", "The score is kept.")
    words = fault_words(begun, failed)
    assert words.row == "Nothing fits; “Run anyway” tries."
    assert words.notice == "Nothing fits; “Run anyway” tries. The score is kept."


def test_a_job_of_the_last_time_is_told_of_as_one_that_broke_off(begun: Job) -> None:
    words = fault_words(begun, left_behind(begun))
    assert words.row == "The program ended twice while this was made. What was made is kept; press ↻ to go on."
