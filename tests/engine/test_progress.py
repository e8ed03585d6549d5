"""What a stage tells of itself: counts, a rate that is today's, and when it will end."""

from __future__ import annotations

import pytest

from yue2_desktop.engine.progress import Progress, ProgressReporter, Stage


class Told:
    """A reporter on a clock that is set by hand."""

    def __init__(self, total: int, already: int = 0) -> None:
        self.now = 100.0
        self.heard: list[Progress] = []
        self.reporter = ProgressReporter(
            Stage.SEMANTIC, total, "tokens", self.heard.append, clock=lambda: self.now, already=already
        )

    def after(self, seconds: float, done: int) -> Progress:
        self.now += seconds
        self.reporter.at(done)
        return self.heard[-1]


def test_nothing_is_known_before_the_first_count() -> None:
    told = Told(10, already=4)
    assert told.heard == [Progress(Stage.SEMANTIC, 4, 10, "tokens")]
    assert told.after(0.0, 4).rate is None


def test_what_was_there_already_is_no_work_of_now() -> None:
    found = Told(1000, already=500).after(10.0, 600)
    assert (found.rate, found.remaining_s) == (pytest.approx(10.0), pytest.approx(40.0))


def test_at_most_ten_a_second_and_always_the_last() -> None:
    told = Told(100)
    for done in range(1, 101):
        told.after(0.01, done)
    assert 10 <= len(told.heard) <= 13
    assert (told.heard[-1].done, told.heard[-1].remaining_s) == (100, 0.0)


def test_a_standstill_is_forgotten() -> None:
    """After a laptop slept for an hour in the middle, the end is as near as it is."""
    told = Told(10_000)
    for second in range(1, 31):
        told.after(1.0, 20 * second)
    for second in range(1, 31):
        found = told.after(3600.0 if second == 1 else 1.0, 600 + 20 * second)
    assert found.rate == pytest.approx(20.0)
    assert found.remaining_s == pytest.approx((10_000 - 1200) / 20)


def test_slow_counts_have_the_rate_of_the_last_few() -> None:
    """Steps of a minute each: one alone would swing, and the first of all is slower than the others."""
    told = Told(32)
    for step in range(1, 6):
        found = told.after(200.0 if step == 1 else 60.0, step)
    assert found.rate == pytest.approx(1 / 60)
