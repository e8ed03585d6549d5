"""What of a job's line has room, and where it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect

from yue2_desktop.ui.takes.job_line import BAR_LEAST, BAR_WIDTH, JobLine, JobWords, job_line
from yue2_desktop.ui.theme.metrics import GROUP_GAP

#: In a font whose letters are all 7 wide.
LETTER = 7
RUNNING = JobWords(
    "singing 1,204 of ~4,000 tokens",
    rate="17.2 tokens/s",
    plan="BF16 with both halves resident · 32 steps",
    time="about 2 min left",
    has_bar=True,
)
WAITING = JobWords("waits", plan=RUNNING.plan)
FAILED = JobWords("The card ran out of memory while the song was sung; close other programs, then try again.")


def laid(words: JobWords, width: int) -> JobLine:
    return job_line(QRect(40, 8, width, 40), words, lambda text: LETTER * len(text))


def shown(line: JobLine) -> set[str]:
    return {name for name in ("text", "rate", "plan", "bar", "time") if getattr(line, name).width()}


def test_with_room_everything_is_whole() -> None:
    line = laid(RUNNING, 1100)
    assert shown(line) == {"text", "rate", "plan", "bar", "time"}
    assert line.bar.width() == BAR_WIDTH
    assert line.plan.width() > LETTER * len(RUNNING.plan)
    assert (line.text.left(), line.time.left() + line.time.width()) == (40, 1140)


def test_what_has_no_room_goes_in_order() -> None:
    """The running job says longest what it does; then how long that takes."""
    seen = [shown(laid(RUNNING, width)) for width in range(1100, 60, -1)]
    orders = [now for before, now in pairwise([set(), *seen]) if now != before]
    assert orders == [
        {"text", "rate", "plan", "bar", "time"},
        {"text", "rate", "bar", "time"},
        {"text", "bar", "time"},
        {"text", "time"},
        {"text", "bar"},
        {"text"},
    ]


def test_the_bar_makes_room_for_the_plan() -> None:
    whole = next(width for width in range(400, 1200) if laid(RUNNING, width).plan.width() > LETTER * len(RUNNING.plan))
    assert BAR_LEAST < laid(RUNNING, whole).bar.width() < BAR_WIDTH
    cut = laid(RUNNING, whole - 60)
    assert 0 < cut.plan.width() < LETTER * len(RUNNING.plan)


@pytest.mark.parametrize("words", [RUNNING, WAITING, FAILED, JobWords("starting", plan=RUNNING.plan)])
@pytest.mark.parametrize("width", [0, 30, 90, 200, 333, 480, 640, 800, 1000, 1600])
def test_nothing_overlaps_or_leaves_the_row(words: JobWords, width: int) -> None:
    line = laid(words, width)
    rects = [one for one in (line.text, line.rate, line.plan, line.bar, line.time) if one.width()]
    for one in rects:
        assert (one.top(), one.height()) == (8, 40)
        assert 40 <= one.left() <= one.left() + one.width() <= 40 + width
    for one, other in pairwise(rects):
        assert one.left() + one.width() + GROUP_GAP <= other.left()
    if line.rate.width():
        assert line.rate.width() > LETTER * len(words.rate), "a rate is whole or not there"


def test_a_job_that_waits_shows_its_plan_beside_it() -> None:
    line = laid(WAITING, 700)
    assert line.plan.left() == line.text.left() + line.text.width() + GROUP_GAP
    assert laid(FAILED, 700).text.width() == 700
