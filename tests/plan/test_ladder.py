"""Out of memory in the middle: one step down, another plan each time, never another take unasked."""

from __future__ import annotations

import pytest

from yue2_desktop.plan.assess import Setting
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import MachineFacts
from yue2_desktop.plan.ladder import step_down
from yue2_desktop.plan.options import ALL_ABILITIES, Options
from yue2_desktop.plan.planner import make_plan
from yue2_desktop.plan.plans import Plan
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.shape import RELEASED


@pytest.fixture
def chosen(laptop: MachineFacts, song_216: SongDemand) -> tuple[Plan, Setting]:
    """The plan of a 24 GB card (both halves resident) and what it was held against."""
    card = parse_pretend("24GB")
    plan = make_plan(laptop, card, song_216).plan
    assert plan is not None
    return plan, Setting(RELEASED, laptop, card, card.free_bytes, Options(), ALL_ABILITIES, {})


def test_the_decode_takes_smaller_tiles_until_there_are_none(chosen: tuple[Plan, Setting]) -> None:
    plan, setting = chosen
    seen = [plan.stage("decode").tile]
    while (step := step_down(plan, "decode", setting)) is not None:
        assert step.plan.stage("decode").needed_bytes < plan.stage("decode").needed_bytes
        assert f"tiles of {step.plan.stage('decode').tile} frames, not {seen[-1]}" in step.sentence
        plan = step.plan
        seen.append(plan.stage("decode").tile)
    assert seen == [512, 256, 128, 64]


def test_the_sound_is_streamed_once(chosen: tuple[Plan, Setting]) -> None:
    plan, setting = chosen
    step = step_down(plan, "acoustic", setting)
    assert step is not None
    assert (step.plan.mode, step.plan.candidate.residency) == ("offload-ar", "streamed")
    assert step.plan.stage("acoustic").needed_bytes < plan.stage("acoustic").needed_bytes
    assert "changes no bit" in step.sentence
    assert step_down(step.plan, "acoustic", setting) is None


def test_tokens_are_never_written_with_other_weights_unasked(chosen: tuple[Plan, Setting]) -> None:
    plan, setting = chosen
    assert step_down(plan, "semantic", setting) is None
    assert step_down(plan, "score", setting) is None
