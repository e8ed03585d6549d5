"""The planner's answer in a few words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.desks import machine
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.plans import Planning, Verdict
from yue2_desktop.ui.fit.words import fit_words

DEMAND = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=5_371)


def planning(card: str = "6GB") -> Planning:
    return check_fit(machine(card), Check(demand=DEMAND))


def test_what_fits() -> None:
    words = fit_words(planning())
    assert words.standing == "good"
    assert words.plan.startswith("BF16")
    assert words.memory.endswith("of 5.2 GiB")
    assert words.share is not None
    assert 0.5 < words.share <= 1
    assert not words.can_run_anyway


def test_what_does_not_fit_is_the_reason_and_can_be_tried() -> None:
    refused = replace(planning(), verdict=Verdict.DOES_NOT_FIT, reason="Too large by 1 GiB.")
    words = fit_words(refused)
    assert (words.standing, words.plan, words.can_run_anyway) == ("bad", "Too large by 1 GiB.", True)


def test_without_a_plan_nothing_can_be_tried() -> None:
    words = fit_words(Planning(Verdict.DOES_NOT_FIT, None, "The driver is too old.", None, None))
    assert (words.plan, words.memory, words.can_run_anyway) == ("The driver is too old.", "", False)


@pytest.mark.parametrize("free", [None, 0])
def test_unknown_free_memory_has_no_bar(free: int | None) -> None:
    words = fit_words(replace(planning(), verdict=Verdict.UNKNOWN, free_bytes=free))
    assert words.standing == "doubtful"
    assert words.share is None
    assert words.memory.endswith("GiB")


def test_the_time_is_a_range() -> None:
    known = planning()
    assert known.plan is not None
    stages = tuple(replace(stage, seconds=(100.0, 140.0)) for stage in known.plan.stages)
    words = fit_words(replace(known, plan=replace(known.plan, stages=stages)))
    assert words.time.endswith("min")
    assert "-" in words.time
