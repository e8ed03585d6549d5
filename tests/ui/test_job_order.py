"""What the engine is told of a job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.takes.samples import job
from yue2_desktop.queue.job import JobPart
from yue2_desktop.runtime.orders import Places
from yue2_desktop.ui.job_order import job_order

PLACES = Places(Path("/models/mot"), Path("/models/vae"))


def test_a_new_job_is_made_as_it_was_asked_for(tmp_path: Path) -> None:
    asked = job(1, folder=str(tmp_path / "take"), order={"part": "take", "run_anyway": True})
    assert job_order(asked, PLACES) == {
        "part": "take", "run_anyway": True, "song": {"id": "ferry", "title": "The ferry at nine", "take": 11},
    }  # fmt: skip
    assert "take" not in job_order(replace(asked, part=JobPart.SCORE), PLACES)["song"]  # type: ignore[operator]


@pytest.mark.parametrize("anyway", [True, False])
def test_what_was_begun_is_gone_on_with_as_it_was_asked_for(tmp_path: Path, anyway: bool) -> None:
    begun = job(1, folder=str(tmp_path), order={"run_anyway": anyway}, started=1.0)
    assert "resume" not in job_order(begun, PLACES)  # nothing is there to go on from
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    order = job_order(begun, PLACES)
    assert (order["resume"], order["run_anyway"], order["folder"]) == (True, anyway, str(tmp_path))
    assert "resume" not in job_order(replace(begun, started=None), PLACES)  # of somebody else
