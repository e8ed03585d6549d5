"""The plan of a job in words."""

from __future__ import annotations

import pytest

from yue2_desktop.ui.job_plan import job_plan

LABEL = "on the processor, AR INT8, NAR BF16"


@pytest.mark.parametrize(
    ("label", "order", "said"),
    [
        (LABEL, {"part": "take", "render": {"ode_steps": 16}}, "On the processor, AR INT8, NAR BF16 · 16 steps"),
        (LABEL, {"part": "take", "render": {"ode_steps": 1}}, "On the processor, AR INT8, NAR BF16 · 1 step"),
        (LABEL, {"part": "score", "render": {"ode_steps": 16}}, "On the processor, AR INT8, NAR BF16"),
        ("", {"part": "take", "render": {"ode_steps": 8}}, "8 steps"),
        ("", {"part": "score"}, ""),
        (LABEL, {"render": {"ode_steps": "many"}}, "On the processor, AR INT8, NAR BF16"),
    ],
)
def test_the_planner_s_words_and_the_steps(label: str, order: dict[str, object], said: str) -> None:
    assert job_plan(label, order) == said
