"""How far the running job is, and that it is said when nothing moves; seconds are counted by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ui.takes.samples import job, singing
from yue2_desktop.queue.job import JobStanding, JobState
from yue2_desktop.ui.standings import Standings

JOBS = (job(1, JobState.RUNNING), job(2))


@pytest.fixture
def standings(qapp: object) -> Iterator[Standings]:
    made = Standings()
    yield made
    made.end()


def now(standings: Standings) -> JobStanding | None:
    running, waiting = standings.shown(JOBS)
    assert waiting.standing is None
    return running.standing


def wait(standings: Standings, seconds: int) -> None:
    for _ in range(seconds):
        standings.count_second()


def test_only_the_running_job_stands_somewhere(standings: Standings) -> None:
    assert now(standings) is None
    standings.begin(1)
    assert now(standings) is None
    standings.move(2, singing())  # one that was let go meanwhile
    assert now(standings) is None
    standings.move(1, singing())
    assert now(standings) == singing()
    standings.end()
    assert now(standings) is None


def test_what_stands_still_says_so_and_claims_no_time(standings: Standings) -> None:
    told: list[int | None] = []
    standings.begin(1)
    standings.move(1, singing())
    standings.changed.connect(lambda: told.append(now(standings).still_s))  # type: ignore[union-attr]
    wait(standings, 29)
    assert now(standings) == singing()
    wait(standings, 12)
    still = now(standings)
    assert still == JobStanding("semantic", 1204, 4000, "tokens", rate=None, remaining_s=None, still_s=40)
    assert told == [30, 40]  # a figure that is read, and not watched
    standings.move(1, singing(1205))
    assert now(standings) == singing(1205)
    wait(standings, 29)
    assert now(standings) == singing(1205)


@pytest.mark.parametrize("begin", [True, False])
def test_where_nobody_knows_how_long_it_takes_there_is_much_patience(standings: Standings, begin: bool) -> None:
    """The weights are read, for the first stage or for the next."""
    standings.begin(1)
    if not begin:
        standings.move(1, singing())
        standings.end_stage(2)
        wait(standings, 20)
        standings.end_stage(1)
    wait(standings, 599)
    assert now(standings) == (None if begin else singing())
    wait(standings, 1)
    still = now(standings)
    assert still is not None
    assert still.still_s == 600


def test_a_slow_thing_has_the_time_that_it_takes(standings: Standings) -> None:
    standings.begin(1)
    standings.move(1, JobStanding("decode", 3, 8, "tiles", 0.1, 50.0))
    wait(standings, 199)
    assert now(standings).still_s is None  # type: ignore[union-attr]
    wait(standings, 1)
    assert now(standings).still_s == 200  # type: ignore[union-attr]
