"""What rows say: counts, times, marks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.ui.takes.samples import NOON, job, silent_end, singing, take
from yue2_desktop.library.take_summary import Badge, TakeState
from yue2_desktop.queue.job import JobPart, JobStanding, JobState
from yue2_desktop.song.belonging import SongOfTake
from yue2_desktop.ui.takes import words
from yue2_desktop.ui.takes.job_line import JobWords
from yue2_desktop.ui.takes.rows import JobRow, TakeRow


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (4, "a few seconds left"),
        (44, "about 40 s left"),
        (61, "about 1 min left"),
        (190, "about 3 min left"),
        (3 * 3600, "about 3.0 h left"),
    ],
)
def test_remaining_time_is_said_in_round_figures(seconds: float | None, said: str) -> None:
    assert words.rest_words(seconds) == said


def test_a_stage_says_what_it_counts() -> None:
    assert words.stage_words(singing()) == "singing 1,204 of ~4,000 tokens"
    assert words.stage_words(JobStanding("acoustic", 3, 32, "steps")) == "shaping the sound, step 3 of 32"
    assert words.stage_words(JobStanding("later", 3, 32, "things")) == "later, 3 of 32 things"
    assert words.stage_words(None) == "starting"
    assert words.stage_words(JobStanding("decode", 0, 0, "tiles")) == "starting"


def test_a_job_says_how_it_stands() -> None:
    assert words.job_words(JobRow(job(1, JobState.RUNNING), singing(), cancelling=True)) == "Cancelling…"
    assert words.job_words(JobRow(job(1, JobState.FAILED, problem="It broke."))) == "It broke."
    assert words.share_done(JobRow(job(1, JobState.RUNNING), singing(2000))) == 0.5
    assert words.share_done(JobRow(job(1), singing(2000))) is None


def test_a_job_that_waits_says_that_the_queue_is_paused() -> None:
    for part in JobPart:
        assert words.job_words(JobRow(job(1, part=part), is_held=True)) == "waits: the queue is paused"
    assert "paused" not in words.job_words(JobRow(job(1)))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (40, "no progress for 40 s"),
        (110, "no progress for 110 s"),
        (120, "no progress for 2 min"),
        (3599, "no progress for 59 min"),
        (3 * 3600, "no progress for 3 h"),
    ],
)
def test_for_how_long_nothing_moved_is_never_said_to_be_longer(seconds: int | None, said: str) -> None:
    assert words.still_words(seconds) == said


def test_what_stands_still_says_so_where_it_would_say_how_long_it_takes() -> None:
    still = JobRow(job(1, JobState.RUNNING), replace(singing(), rate=None, remaining_s=None, still_s=40))
    assert words.is_still(still)
    said = words.line_words(still)
    assert (said.text, said.rate, said.time) == ("singing 1,204 of ~4,000 tokens", "", "no progress for 40 s")
    assert "no progress for 40 s" in words.spoken(still, NOON)
    assert "If you cancel, what is finished is kept" in words.tip(still)
    before = JobRow(job(1, JobState.RUNNING), JobStanding("", 0, 0, "", still_s=600))
    assert (words.line_words(before).text, words.line_words(before).time) == ("starting", "no progress for 10 min")
    for row in (
        replace(still, cancelling=True),
        JobRow(job(1), still.standing),
        JobRow(job(1, JobState.RUNNING), singing()),
    ):
        assert not words.is_still(row)
        assert "If you cancel" not in words.tip(row)
        assert "no progress" not in words.line_words(row).time


def test_a_job_says_its_rate_and_its_plan_while_something_is_to_come() -> None:
    plan = "BF16 with both halves resident · 32 steps"
    running = JobRow(job(1, JobState.RUNNING, plan=plan), singing())
    assert words.line_words(running) == JobWords(
        "singing 1,204 of ~4,000 tokens", "21.0 tokens/s", plan, "about 3 min left", has_bar=True
    )
    for state in (JobState.WAITING, JobState.PAUSED, JobState.INTERRUPTED):
        said = words.line_words(JobRow(job(1, state, plan=plan), singing()))
        assert (said.rate, said.plan, said.time, said.has_bar) == ("", plan, "", False)
    stopped = words.line_words(JobRow(job(1, JobState.RUNNING, plan=plan), singing(), cancelling=True))
    assert (stopped.text, stopped.rate, stopped.plan, stopped.time) == ("Cancelling…", "", "", "")
    failed = words.line_words(JobRow(job(1, JobState.FAILED, plan=plan, problem="It broke."), singing()))
    assert failed == JobWords("It broke.")


def test_rate_and_plan_are_heard_and_in_the_tip() -> None:
    """A narrow row has no room for them."""
    row = JobRow(job(1, JobState.RUNNING, plan="BF16 · 32 steps"), singing())
    assert words.spoken(row, NOON) == (
        "The ferry at nine, take 11, seed 71, singing 1,204 of ~4,000 tokens, 21.0 tokens/s, about 3 min left, "
        "BF16 · 32 steps"
    )
    assert words.tip(row).splitlines() == [
        "The ferry at nine, take 11",
        "BF16 · 32 steps",
        "singing 1,204 of ~4,000 tokens · 21.0 tokens/s · about 3 min left",
    ]
    failed = JobRow(job(1, JobState.FAILED, plan="BF16 · 32 steps", problem="It broke."))
    assert "BF16 · 32 steps" in words.tip(failed)
    plain = JobRow(job(1, JobState.RUNNING), JobStanding("acoustic", 3, 32, "steps"))
    assert words.tip(plain).splitlines() == ["The ferry at nine, take 11", "shaping the sound, step 3 of 32"]


def test_a_song_that_was_cut_short_is_marked_and_explained() -> None:
    """Row 75: the last verse is not sung."""
    cut = take(song_truncated=True)
    assert words.badge_word(Badge.TRUNCATED) in words.spoken(TakeRow(cut), NOON)
    assert "last sections may not be sung" in words.tip(TakeRow(cut))
    assert "score ends" in words.tip(TakeRow(take(score_truncated=True)))


def test_a_silent_end_is_marked_with_its_length() -> None:
    """Row 85: a short song, then silence."""
    quiet = take(loudness=silent_end())
    assert "silent end" in words.spoken(TakeRow(quiet), NOON)
    assert "83 s of silence" in words.tip(TakeRow(quiet))
    assert "export" in words.tip(TakeRow(quiet))


def test_every_mark_has_a_word_and_a_sentence() -> None:
    everything = take(
        state=TakeState.FAILED, ode_steps=8, song_truncated=True, edited_score=True, score_errors=2,
        words_doubt="0:37 for 90 syllables.", resumed=True,
        loudness=silent_end(), damage=("Its record is gone.",), problem="Out of memory.",
    )  # fmt: skip
    assert len(everything.badges) == 10
    weighed = words.by_weight(everything.badges)
    assert set(weighed[:2]) == words.BAD_BADGES
    for badge in Badge:
        assert words.badge_word(badge)
        assert words.badge_tip(everything, badge).endswith(".")
    assert "2 mistakes" in words.badge_tip(everything, Badge.BAD_SCORE)


def test_dates_are_short() -> None:
    now = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
    assert words.date_words(now - timedelta(days=3), now) == "2 Mar"
    assert words.date_words(now - timedelta(days=300), now) == "9 May 2025"
    assert ":" in words.date_words(now, now)


def test_lengths_and_kinds() -> None:
    assert [words.clock(seconds) for seconds in (0, 59.99, 60, 158.4, 3725)] == [
        "0:00",
        "0:59",
        "1:00",
        "2:38",
        "62:05",
    ]
    assert words.kind_words(take()) == "final"
    assert words.kind_words(take(ode_steps=16)) == "16 steps"
    assert words.kind_words(take(ode_steps=8)) == "", "its mark says draft"
    assert words.kind_words(take(state=TakeState.PARTIAL, audio=None, seconds=None)) == "score only"
    assert words.kind_words(take(audio=None)) == ""


def test_a_row_begins_with_its_seed_or_with_the_title_of_another_song() -> None:
    assert words.lead_words(TakeRow(take()), "ferry") == "seed 41"
    assert words.lead_words(TakeRow(take()), "") == "The ferry at nine"
    assert words.lead_words(JobRow(job(1)), "other") == "The ferry at nine"
    assert words.name_of(TakeRow(take(3))) == "The ferry at nine, take 3"
    assert words.name_of(TakeRow(take(song=None))) == "The ferry at nine"


def test_a_score_alone_has_no_take_number() -> None:
    """Take 1 would be there twice: the score that was written first, and the first take."""
    alone = TakeRow(take(song=SongOfTake("ferry", "The ferry at nine"), audio=None, seconds=None))
    queued = JobRow(job(1, part=JobPart.SCORE))
    for row in (alone, queued):
        assert words.number_words(row) == ""
        assert words.name_of(row) == "The ferry at nine, score"
    assert words.number_words(JobRow(job(1))) == "11"
